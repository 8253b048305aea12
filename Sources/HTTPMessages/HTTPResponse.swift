/// A response with its content: whole in memory, or a stream where the request asked for one.
public struct HTTPResponse: Sendable, Hashable, CustomStringConvertible {
    /// How the request went.
    public var status: HTTPStatus
    /// The header fields, in the order and spelling of the wire.
    public var fields: HTTPFields
    /// The content; empty when it comes as a stream.
    public var body: [UInt8]
    /// The trailer fields of a content that is whole (RFC 9110, section 6.5).
    public var trailers: HTTPFields
    /// The content as it comes in, when the request asked for it and the session can.
    public var stream: HTTPByteStream?
    /// What the exchange cost, from a transport that tells; of a streamed response up to its head.
    public var metrics: HTTPTransferMetrics?
    /// Where the response came from when redirects were followed to it; nil when from the request's own target.
    public var target: RequestTarget?

    /// Makes a response.
    public init(
        status: HTTPStatus,
        fields: HTTPFields = HTTPFields(),
        body: [UInt8] = [],
        trailers: HTTPFields = HTTPFields(),
        stream: HTTPByteStream? = nil,
        metrics: HTTPTransferMetrics? = nil,
        target: RequestTarget? = nil
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.trailers = trailers
        self.stream = stream
        self.metrics = metrics
        self.target = target
    }

    /// The content as text, or nil when it is not valid UTF-8.
    public var text: String? { String(validating: body, as: UTF8.self) }

    /// Status and length; fields and content are not shown.
    public var description: String { "\(status), \(stream == nil ? "\(body.count) octets" : "a stream")" }
}

extension HTTPResponse: CustomReflectable {
    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
