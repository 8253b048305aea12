import CCurl
import HTTPMessages

/// Where libcurl puts a response, on the loop's thread only.
final class ResponseSink {
    private(set) var head: ResponseHead
    private(set) var body: [UInt8] = []
    /// Why the sink took no more; libcurl then only says that writing failed.
    private(set) var fault: TransportError?
    /// Whether nobody wants what comes any more.
    var isGivenUp = false
    /// Whether libcurl keeps content back, until the loop lets it go on: it hears later than the channel that the reader has.
    var isPaused = false
    /// When something last came or went.
    var lastActivity = ContinuousClock.now
    /// When libcurl began with the exchange.
    var startedAt = ContinuousClock.now
    /// When the first line of the head came.
    private(set) var firstLineAt: ContinuousClock.Instant?
    /// Where the content of a streamed response goes.
    let channel: ResponseChannel?
    /// Called when the head of a streamed response is complete.
    var didReadHead: (() -> Void)?

    /// How much content there will be on the wire, when the server has told.
    ///
    /// To HEAD, and with status 304, it tells the length that another response would have (RFC 9110, section 8.6).
    var expectedLength: Int? { isHeadRequest || head.status?.code == 304 ? nil : head.contentLength }

    let isHeadRequest: Bool
    private let maximumSize: Int
    private var size = 0

    init(configuration: CurlSession.Configuration, request: HTTPRequest) {
        head = ResponseHead(
            maximumSize: configuration.maximumHeadSize,
            maximumCount: configuration.maximumFieldCount,
            allowsHTTP2: configuration.allowsHTTP2 && request.target.isSecure
        )
        let isStreamed = request.options.streamsResponse
        let limit = isStreamed ? configuration.maximumStreamSize : configuration.maximumResponseSize
        maximumSize = request.options.maximumResponseSize ?? limit
        isHeadRequest = request.method == .head
        channel = isStreamed ? ResponseChannel() : nil
    }

    /// The response, or nil when there was no final head.
    func response() -> HTTPResponse? {
        guard head.isComplete, let status = head.status else { return nil }
        return HTTPResponse(
            status: status,
            fields: HTTPFields(head.fields),
            body: body,
            trailers: HTTPFields(head.trailers)
        )
    }

    /// Takes lines of the head or of the trailer section: one, or all that libcurl has kept.
    private func take(lines: UnsafeRawBufferPointer) throws(TransportError) {
        var start = lines.startIndex
        while start < lines.endIndex {
            let end = unsafe lines[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? lines.endIndex
            unsafe try take(line: UnsafeRawBufferPointer(rebasing: lines[start..<end]))
            start = end
        }
    }

    private func take(line: UnsafeRawBufferPointer) throws(TransportError) {
        if firstLineAt == nil { firstLineAt = lastActivity }
        let wasComplete = head.isComplete
        unsafe try head.read(line)
        guard !wasComplete, head.isComplete else { return }
        if let length = expectedLength {
            guard length <= maximumSize else { throw tooLarge }
            // The length is only announced: memory is taken for what can be expected, and for more when it comes.
            if channel == nil { body.reserveCapacity(min(length, 1 << 20)) }
        }
        didReadHead?()
    }

    /// - Returns: Whether the content was taken; libcurl is to pause and keep it otherwise.
    private func take(content: UnsafeRawBufferPointer) throws(TransportError) -> Bool {
        guard content.count <= maximumSize - size else { throw tooLarge }
        if let channel {
            guard unsafe channel.push(content) else {
                isPaused = true
                return false
            }
        } else {
            unsafe body.append(contentsOf: content)
        }
        size += content.count
        return true
    }

    private var tooLarge: TransportError {
        TransportError(.responseTooLarge, "the content is larger than \(maximumSize) octets")
    }

    static let headerCallback: ccurl_data_callback = { bytes, size, count, context in
        unsafe callback(bytes, size * count, context) { (sink, octets) throws(TransportError) in
            unsafe try sink.take(lines: octets)
            return true
        }
    }

    static let bodyCallback: ccurl_data_callback = { bytes, size, count, context in
        unsafe callback(bytes, size * count, context) { (sink, octets) throws(TransportError) in
            unsafe try sink.take(content: octets)
        }
    }

    /// Returns the number of octets taken, or what makes libcurl pause; another number ends the exchange.
    private static func callback(
        _ bytes: UnsafeMutablePointer<CChar>,
        _ count: Int,
        _ context: UnsafeMutableRawPointer?,
        _ body: (ResponseSink, UnsafeRawBufferPointer) throws(TransportError) -> Bool
    ) -> Int {
        let refused = count == 0 ? 1 : 0
        guard let context = unsafe context else { return refused }
        let sink = unsafe Unmanaged<ResponseSink>.fromOpaque(context).takeUnretainedValue()
        guard !sink.isGivenUp else { return count }
        sink.lastActivity = .now
        do throws(TransportError) {
            let isTaken = unsafe try body(sink, UnsafeRawBufferPointer(start: bytes, count: count))
            return isTaken ? count : Int(CURL_WRITEFUNC_PAUSE)
        } catch {
            sink.fault = error
            return refused
        }
    }
}
