import Glibc

/// A file whose content is sent, read from its start to its end.
final class ContentFile {
    /// How many octets it had when it was opened.
    let length: Int
    private let descriptor: CInt

    /// Opens a file.
    ///
    /// - Throws: ``AWSSigningError`` with code `unsupportedPayload` for what cannot be opened or is no regular file.
    init(_ path: String) throws(AWSSigningError) {
        // A path with a NUL would be another file's.
        guard !path.utf8.contains(0) else { throw Self.fault }
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else {
            if descriptor >= 0 { close(descriptor) }
            throw Self.fault
        }
        length = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// The next octets; nil at the end.
    ///
    /// - Throws: ``AWSSigningError`` with code `unsupportedPayload` when they cannot be read.
    func read(upTo limit: Int) throws(AWSSigningError) -> [UInt8]? {
        var octets = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let received = unsafe octets.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress.map { unsafe $0 + count }, limit - count)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw Self.fault }
            if received == 0 { break }
            count += received
        }
        guard count > 0 else { return nil }
        octets.removeLast(limit - count)
        return octets
    }

    private static var fault: AWSSigningError {
        AWSSigningError(.unsupportedPayload, "the file of the content cannot be read")
    }
}
