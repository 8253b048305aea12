import CCurl
import Glibc
import HTTPMessages
import Locking

/// A file as the content of a request.
final class FileUpload: UploadSource {
    var count: Int? { file.length }
    private let file: ContentFile
    private let state = Mutex((position: 0, failure: TransportError?.none))

    /// - Throws: ``TransportError`` with code `unreadableContent`.
    init(_ path: String) throws(TransportError) {
        do throws(ContentFile.Fault) { file = try ContentFile(path) } catch {
            throw TransportError(
                .unreadableContent,
                error.reason == .unopened
                    ? "the file of the content cannot be opened" : "the content is not a regular file",
                errorNumber: error.errorNumber
            )
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            let wanted = min(buffer.count, file.length - state.position)
            guard wanted > 0 else { return 0 }
            let count = unsafe pread(file.descriptor, buffer.baseAddress, wanted, off_t(state.position))
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
