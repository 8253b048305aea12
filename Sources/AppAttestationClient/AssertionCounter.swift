internal import FileStorage

/// The number of assertions that a key has made, in a file, for all processes that use the key.
///
/// Each number is on the device before it is given out, so that none is given twice, whenever the machine stops. A number
/// that was given out and not used is a gap, which verifiers allow.
struct AssertionCounter {
    private let file: PrivateFile

    init(path: String) { file = PrivateFile(path: path, maximumSize: 16) }

    /// Starts at zero, unless the key has a counter, which stays as it is.
    func create() throws(AttestationClientError) {
        do throws(FileStorageError) { try file.create(Array("0\n".utf8)) } catch {
            guard error.code != .alreadyExists else { return }
            throw AttestationClientError(error)
        }
    }

    /// Takes the next number, 1 for the first.
    ///
    /// - Throws: ``AttestationClientError`` with code `storeDamaged`, also when the file is gone: to begin again would give
    ///   numbers twice; `counterExhausted` or `storeFailed`.
    func next() throws(AttestationClientError) -> UInt32 {
        try file.withLock(convert: AttestationClientError.init) { () throws(AttestationClientError) in
            let last = try read()
            guard last < .max else {
                throw AttestationClientError(.counterExhausted, "the key has made all its assertions")
            }
            try AttestationClientError.file { () throws(FileStorageError) in
                try file.replace(Array("\(last + 1)\n".utf8))
            }
            return last + 1
        }
    }

    /// Removes the counter of a key that is gone, and after it the lock: who waits for that finds no counter.
    func remove() throws(AttestationClientError) {
        do throws(FileStorageError) {
            try file.withLock(convert: { $0 }) { () throws(FileStorageError) in
                for file in [file, PrivateFile(path: file.path + ".lock")] {
                    do throws(FileStorageError) { try file.remove() } catch {
                        guard error.code == .notFound else { throw error }
                    }
                }
            }
        } catch {
            guard error.code == .notFound else { throw AttestationClientError(error) }
        }
    }

    private func read() throws(AttestationClientError) -> UInt32 {
        let octets: [UInt8]
        do throws(FileStorageError) { octets = try file.read() } catch {
            guard error.code == .notFound else { throw AttestationClientError(error) }
            throw AttestationClientError(.storeDamaged, at: file.path, "the counter is gone")
        }
        let text = String(decoding: octets, as: UTF8.self)
        guard text.hasSuffix("\n"), let count = UInt32(text.dropLast()), "\(count)\n" == text else {
            throw AttestationClientError(.storeDamaged, at: file.path, "the counter is damaged")
        }
        return count
    }
}
