import Glibc

/// Reads a small file that another process replaces, and tells whether it has been replaced since.
struct TokenFile {
    /// What changes when a file is replaced or rewritten.
    struct Identity: Equatable {
        let device: UInt
        let inode: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int
        let mode: UInt32
    }

    /// Why a file cannot be used.
    enum Fault: Error {
        case unreadable(code: Int32)
        case notAFile
        case worldWritable
        case tooLarge
    }

    static let maximumSize = 64 << 10

    let path: String

    /// The identity of the file that the path leads to now, through symbolic links.
    func identity() throws(Fault) -> Identity {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .unreadable(code: errno) }
        return Self.identity(of: status)
    }

    /// The content, and the identity of the very file it was read from.
    func read() throws(Fault) -> (identity: Identity, octets: [UInt8]) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .unreadable(code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard status.st_mode & S_IWOTH == 0 else { throw .worldWritable }
        var octets = [UInt8](repeating: 0, count: Self.maximumSize + 1)
        var count = 0
        while count < octets.count {
            let received = unsafe octets.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress.map { unsafe $0 + count }, $0.count - count)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw .unreadable(code: errno) }
            if received == 0 { break }
            count += received
        }
        guard count <= Self.maximumSize else { throw .tooLarge }
        return (Self.identity(of: status), Array(octets.prefix(count)))
    }

    private static func identity(of status: stat) -> Identity {
        Identity(
            device: UInt(status.st_dev),
            inode: UInt(status.st_ino),
            size: Int(status.st_size),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec,
            mode: status.st_mode
        )
    }
}
