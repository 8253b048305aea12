import Glibc

/// A file whose content is sent, read from its start to its end.
package final class ContentFile: Sendable {
    /// Why a file gives no content.
    package struct Fault: Error {
        /// What is wrong with it.
        package enum Reason: Sendable {
            case unopened, notRegular, unreadable
        }

        /// What is wrong with it.
        package let reason: Reason
        /// The operating system's error number, where there is one.
        package let errorNumber: Int32?
    }

    /// How many octets it had when it was opened.
    package let length: Int
    /// The open file; whoever reads through it at places of its own leaves ``read(upTo:)`` alone.
    package let descriptor: CInt

    /// Opens a file, and waits for nobody: a pipe without a writer would hold the thread for ever.
    ///
    /// - Throws: ``Fault`` for what cannot be opened or is no regular file.
    package init(_ path: String) throws(Fault) {
        // A path with a NUL would be another file's.
        guard !path.utf8.contains(0) else { throw Fault(reason: .unopened, errorNumber: nil) }
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Fault(reason: .unopened, errorNumber: errno) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Fault(reason: .notRegular, errorNumber: nil)
        }
        length = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// The next octets; nil at the end.
    ///
    /// - Throws: ``Fault`` when they cannot be read.
    package func read(upTo limit: Int) throws(Fault) -> [UInt8]? {
        var octets = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let received = unsafe octets.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress.map { unsafe $0 + count }, limit - count)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw Fault(reason: .unreadable, errorNumber: errno) }
            if received == 0 { break }
            count += received
        }
        guard count > 0 else { return nil }
        octets.removeLast(limit - count)
        return octets
    }

    /// All that is left, also of a file that grows while it is read; nil when it is more than the limit.
    ///
    /// - Throws: ``Fault`` when it cannot be read.
    package func contents(upTo limit: Int) throws(Fault) -> [UInt8]? {
        guard length <= limit else { return nil }
        // With room for one more, so that the end of most shows in the first read.
        var octets = try read(upTo: length + 1) ?? []
        while octets.count <= limit, let more = try read(upTo: 64 << 10) { octets += more }
        return octets.count <= limit ? octets : nil
    }
}
