internal import Cryptography
import Glibc

/// Reads a small file that says who this process is.
enum SmallFile {
    /// The content, or nil when there is no such file.
    ///
    /// - Throws: ``AWSSigningError`` with code `unreadableFile` for what is no regular file, is above 1 MiB, cannot be
    ///   read, or may be written by every user of the machine, who could put other credentials there.
    static func read(_ path: String, limit: Int = 1 << 20) throws(AWSSigningError) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw fault("cannot be opened") }
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw fault("is not a regular file")
        }
        guard status.st_mode & S_IWOTH == 0 else { throw fault("may be written by every user") }
        guard status.st_size <= limit else { throw fault("is too large") }
        var octets = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        var count = 0
        while count < octets.count {
            let received = unsafe octets.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress.map { unsafe $0 + count }, $0.count - count)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw fault("cannot be read") }
            if received == 0 { break }
            count += received
        }
        guard count < octets.count else { throw fault("changes while it is read") }
        defer { _ = SecretBytes(moving: &octets) }
        return Array(octets[..<count])
    }

    /// The content as text without white space at its ends.
    static func text(_ path: String) throws(AWSSigningError) -> String? {
        guard let octets = try read(path) else { return nil }
        guard let text = String(validating: octets, as: UTF8.self) else { throw fault("is not UTF-8") }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let start = text.utf8.firstIndex { !isBlank($0) } ?? text.endIndex
        let end = text.utf8.lastIndex { !isBlank($0) }.map { text.utf8.index(after: $0) } ?? text.endIndex
        return String(text[start..<max(start, end)])
    }

    private static func fault(_ what: String) -> AWSSigningError {
        AWSSigningError(.unreadableFile, "a file of credentials \(what)")
    }
}
