import CCurl
import HTTPMessages

/// Where libcurl puts a response, on the loop's thread only.
final class ResponseSink {
    private(set) var head: ResponseHead
    private(set) var body: [UInt8] = []
    /// Why the sink took no more; libcurl then only says that writing failed.
    private(set) var fault: TransportError?

    private let isHeadRequest: Bool
    private let maximumSize: Int

    init(configuration: CurlSession.Configuration, isHeadRequest: Bool) {
        head = ResponseHead(
            maximumSize: configuration.maximumHeadSize,
            maximumCount: configuration.maximumFieldCount
        )
        maximumSize = configuration.maximumResponseSize
        self.isHeadRequest = isHeadRequest
    }

    /// The response, or nil when there was no final head.
    func response() -> HTTPResponse? {
        guard head.isComplete, let status = head.status else { return nil }
        return HTTPResponse(status: status, fields: HTTPFields(head.fields), body: body)
    }

    private func take(line: UnsafeRawBufferPointer) throws(TransportError) {
        let wasComplete = head.isComplete
        unsafe try head.read(line)
        guard !wasComplete, head.isComplete, !isHeadRequest, let length = head.contentLength else { return }
        guard length <= maximumSize else { throw Self.tooLarge }
        // The length is only announced: memory is taken for what can be expected, and for more when it comes.
        body.reserveCapacity(min(length, 1 << 20))
    }

    private func take(content: UnsafeRawBufferPointer) throws(TransportError) {
        guard content.count <= maximumSize - body.count else { throw Self.tooLarge }
        unsafe body.append(contentsOf: content)
    }

    private static let tooLarge = TransportError(.responseTooLarge, "the content is too large")

    static let headerCallback: ccurl_data_callback = { bytes, size, count, context in
        unsafe callback(bytes, size * count, context) { (sink, octets) throws(TransportError) in
            unsafe try sink.take(line: octets)
        }
    }

    static let bodyCallback: ccurl_data_callback = { bytes, size, count, context in
        unsafe callback(bytes, size * count, context) { (sink, octets) throws(TransportError) in
            unsafe try sink.take(content: octets)
        }
    }

    /// Returns the number of octets taken; another number than was offered ends the exchange.
    private static func callback(
        _ bytes: UnsafeMutablePointer<CChar>,
        _ count: Int,
        _ context: UnsafeMutableRawPointer?,
        _ body: (ResponseSink, UnsafeRawBufferPointer) throws(TransportError) -> Void
    ) -> Int {
        let refused = count == 0 ? 1 : 0
        guard let context = unsafe context else { return refused }
        let sink = unsafe Unmanaged<ResponseSink>.fromOpaque(context).takeUnretainedValue()
        do throws(TransportError) {
            unsafe try body(sink, UnsafeRawBufferPointer(start: bytes, count: count))
            return count
        } catch {
            sink.fault = error
            return refused
        }
    }
}
