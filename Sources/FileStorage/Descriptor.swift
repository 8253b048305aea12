import Glibc

/// Owns one file descriptor.
struct Descriptor: ~Copyable {
    let number: Int32
    /// The path it was opened by, for errors.
    private let path: String

    private init(adopting number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit { close(number) }

    /// Opens an entry of a directory, or a path of the process when there is no directory.
    static func open(
        _ name: String,
        in directory: Int32 = AT_FDCWD,
        _ flags: Int32,
        path: String
    ) throws(FileStorageError) -> Descriptor {
        let number = attempt(directory, name, flags | O_CLOEXEC)
        guard number >= 0 else { throw .system(errno, path, "it cannot be opened") }
        return Descriptor(adopting: number, path: path)
    }

    private static func attempt(_ directory: Int32, _ name: String, _ flags: Int32) -> Int32 {
        while true {
            // The mode counts only where the flags make a file.
            let number = unsafe openat(directory, name, flags, mode_t(S_IRUSR | S_IWUSR))
            guard number < 0, errno == EINTR else { return number }
        }
    }

    /// What the open file is, whatever stands at its path by now.
    func status() throws(FileStorageError) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw .system(errno, path, "it cannot be examined") }
        return status
    }

    /// Refuses anything but a regular file of this user.
    func demandOwnFile() throws(FileStorageError) -> stat {
        let status = try status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileStorageError(.notAFile, path, "it is not a regular file")
        }
        guard status.st_uid == geteuid() else {
            throw FileStorageError(.foreignOwner, path, "it belongs to another user")
        }
        return status
    }

    /// Reads to the end.
    ///
    /// The array that is returned is the only one that still holds octets, so that whoever clears it has cleared them all. It
    /// has room for the size that the file is said to have; one that has grown since is read all the same.
    func read(limit: Int, expecting size: Int) throws(FileStorageError) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: min(max(size, 0), limit) + 1)
        var count = 0
        while true {
            if count == octets.count {
                guard count <= limit else { break }
                Self.enlarge(&octets, to: limit + 1)
            }
            let received = unsafe octets.withUnsafeMutableBytes {
                unsafe Glibc.read(number, $0.baseAddress.map { unsafe $0 + count }, $0.count - count)
            }
            let error = errno
            if received < 0, error == EINTR { continue }
            guard received >= 0 else {
                Self.clear(&octets)
                throw .system(error, path, "it cannot be read")
            }
            if received == 0 { break }
            count += received
        }
        guard count <= limit else {
            Self.clear(&octets)
            throw FileStorageError(.tooLarge, path, "it is larger than \(limit) octets")
        }
        octets.removeLast(octets.count - count)
        return octets
    }

    /// Locks the open file, without waiting for another who has.
    ///
    /// - Returns: 0, `EWOULDBLOCK` when another has, or the error number of a file system without locks.
    func lock() -> Int32 {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            let error = errno
            guard error == EINTR else { return error }
        }
        return 0
    }

    /// Gives a new file its mode and all its octets, and has the device keep them.
    func write(_ octets: [UInt8], mode: mode_t) throws(FileStorageError) {
        // The mode at opening is cut by the process's mask.
        guard fchmod(number, mode) == 0 else { throw .system(errno, path, "its permissions cannot be set") }
        var start = 0
        while start < octets.count {
            let written = unsafe octets.withUnsafeBytes {
                unsafe Glibc.write(number, $0.baseAddress.map { unsafe $0 + start }, $0.count - start)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .system(errno, path, "it cannot be written") }
            start += written
        }
        try synchronize()
    }

    /// Has the device keep what was written, or of a directory its entries.
    func synchronize() throws(FileStorageError) {
        guard fsync(number) == 0 else { throw .system(errno, path, "it cannot be kept on the device") }
    }

    private static func enlarge(_ octets: inout [UInt8], to count: Int) {
        var larger = [UInt8](repeating: 0, count: count)
        unsafe larger.withUnsafeMutableBytes { unsafe $0.copyBytes(from: octets) }
        clear(&octets)
        octets = larger
    }

    private static func clear(_ octets: inout [UInt8]) {
        unsafe octets.withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
        }
    }
}
