import CCurl
import Glibc
import HTTPMessages

/// What libcurl reads the content of a request from, on the loop's thread.
protocol UploadSource: AnyObject, Sendable {
    /// The number of octets; nil when it is not known.
    var count: Int? { get }

    /// Fills a buffer.
    ///
    /// - Returns: The number of octets, 0 at the end, `CURL_READFUNC_PAUSE` or `CURL_READFUNC_ABORT`.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int

    /// Goes back to the start, when nothing keeps it from that.
    func rewind() -> Bool

    /// Why the content could not be read.
    var failure: (any Error)? { get }

    /// Starts to get the content ready.
    ///
    /// - Parameter resume: Tells the loop that there is something to read again.
    func start(resume: @escaping @Sendable () -> Void)

    /// Ends the reading; nothing more is wanted.
    func close()
}

enum UploadCallbacks {
    static let read: ccurl_data_callback = { bytes, size, count, context in
        guard let context = unsafe context else { return Int(CURL_READFUNC_ABORT) }
        let box = unsafe Unmanaged<UploadBox>.fromOpaque(context).takeUnretainedValue()
        return unsafe box.source.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
    }

    static let seek: ccurl_seek_callback = { context, offset, origin in
        guard let context = unsafe context, offset == 0, origin == SEEK_SET else {
            return CURL_SEEKFUNC_CANTSEEK
        }
        let box = unsafe Unmanaged<UploadBox>.fromOpaque(context).takeUnretainedValue()
        return box.source.rewind() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    }
}

/// Gives a source of any kind one type, so that a C pointer can lead to it.
final class UploadBox: Sendable {
    let source: any UploadSource

    init(_ source: any UploadSource) {
        self.source = source
    }

    /// Makes the source of a body that is not in memory; nil for one that is.
    static func make(_ body: HTTPBody?) throws(TransportError) -> UploadBox? {
        switch body?.content {
        case nil, .bytes: nil
        case .file(let path): UploadBox(try FileUpload(path))
        case .stream(let stream): UploadBox(StreamUpload(stream))
        }
    }
}
