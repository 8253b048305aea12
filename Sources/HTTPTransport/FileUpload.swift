import CCurl
import Glibc
import Locking

/// A file as the content of a request.
final class FileUpload: UploadSource {
    let count: Int?
    private let size: Int
    private let descriptor: Int32
    private let state = Mutex((position: 0, failure: TransportError?.none))

    /// - Throws: ``TransportError`` with code `unreadableContent`.
    init(_ path: String) throws(TransportError) {
        guard !path.utf8.contains(0) else {
            throw TransportError(.unreadableContent, "the path of the content holds a NUL")
        }
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw TransportError(
                .unreadableContent,
                "the file of the content cannot be opened",
                errorNumber: errno
            )
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            throw TransportError(.unreadableContent, "the content is not a regular file")
        }
        size = Int(status.st_size)
        count = size
    }

    deinit { Glibc.close(descriptor) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            let wanted = min(buffer.count, size - state.position)
            guard wanted > 0 else { return 0 }
            let count = unsafe pread(descriptor, buffer.baseAddress, wanted, off_t(state.position))
            guard count > 0 else {
                // libcurl would wait for the rest of what was announced.
                state.failure = TransportError(
                    .unreadableContent,
                    count == 0
                        ? "the file of the content became shorter" : "the file of the content cannot be read",
                    errorNumber: count == 0 ? nil : errno
                )
                return Int(CURL_READFUNC_ABORT)
            }
            state.position += count
            return count
        }
    }

    func rewind() -> Bool {
        state.withLock { $0.position = 0 }
        return true
    }

    var failure: (any Error)? { state.withLock { $0.failure } }

    func start(resume: @escaping @Sendable () -> Void) {}

    func close() {}
}
