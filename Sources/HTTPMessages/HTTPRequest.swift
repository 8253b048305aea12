/// A request, complete and ready to be signed and sent.
public struct HTTPRequest: Sendable, Hashable, CustomStringConvertible {
    /// What to do with the target.
    public var method: HTTPMethod
    /// Where the request goes.
    public var target: RequestTarget
    /// The header fields, as they go on the wire; the transport adds `Host` and the framing of the body.
    public var fields: HTTPFields
    /// The content; nil sends none, an empty body sends `Content-Length: 0`.
    public var body: HTTPBody?
    /// How to send the request; nothing of it goes on the wire.
    public var options: HTTPRequestOptions

    /// Makes a request from parts that have been checked already.
    public init(
        method: HTTPMethod = .get,
        target: RequestTarget,
        fields: HTTPFields = HTTPFields(),
        body: HTTPBody? = nil,
        options: HTTPRequestOptions = HTTPRequestOptions()
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.options = options
    }

    /// Makes a request to a URL.
    ///
    /// - Throws: ``HTTPMessageError`` for a URL that ``RequestTarget`` refuses.
    public init(
        method: HTTPMethod = .get,
        url: String,
        fields: HTTPFields = HTTPFields(),
        body: HTTPBody? = nil
    ) throws(HTTPMessageError) {
        self.init(method: method, target: try RequestTarget(url), fields: fields, body: body)
    }

    /// Method, host and path; the query and the fields may hold secrets and are not shown.
    public var description: String { "\(method) \(target)" }
}

extension HTTPRequest: CustomReflectable {
    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
