public import HTTPMessages

/// What a signature is made over: a request, or a response and the request it answers.
///
/// The fields are the octets of the wire, in their order. Whatever goes between the message and the wire (a proxy, a
/// transport that adds `Host`) must be in here to be covered.
public struct SignableMessage: Sendable {
    enum Kind: Sendable {
        case request(RequestLine)
        indirect case response(status: HTTPStatus, request: SignableMessage?)
    }

    /// What a request says before its fields, in one object: each component that is derived takes it up anew.
    final class RequestLine: Sendable {
        let method: HTTPMethod
        let target: SignableTarget
        /// What the first line says; nil for path and query of the target.
        let requestTarget: String?

        init(method: HTTPMethod, target: SignableTarget, requestTarget: String?) {
            self.method = method
            self.target = target
            self.requestTarget = requestTarget
        }

        convenience init(_ request: borrowing HTTPRequest, requestTarget: String? = nil) {
            self.init(
                method: request.method,
                target: SignableTarget(request.target),
                requestTarget: requestTarget
            )
        }
    }

    var kind: Kind
    /// The header fields in the order of the wire, a line each.
    public var fields: [FieldLine] {
        get { header.lines }
        _modify { yield &header.lines }
    }
    /// The trailer fields in the order of the wire.
    public var trailers: [FieldLine] {
        get { trailer.lines }
        _modify { yield &trailer.lines }
    }
    private var header: FieldSection
    private var trailer: FieldSection
    /// The content; empty when the message has none, nil when it is not at hand.
    public var content: [UInt8]?
    /// How the message was framed.
    public var version: WireVersion

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: The method, whose case counts.
    ///   - target: The target URI.
    ///   - requestTarget: What the first line says; the path and query of the target unless given.
    ///   - fields: The header fields, in order.
    ///   - trailers: The trailer fields, in order.
    ///   - content: The content; empty for none, nil when it is not at hand.
    ///   - version: How the message was framed.
    public init(
        method: HTTPMethod,
        target: SignableTarget,
        requestTarget: String? = nil,
        fields: [FieldLine] = [],
        trailers: [FieldLine] = [],
        content: [UInt8]? = [],
        version: WireVersion = .http1
    ) {
        kind = .request(RequestLine(method: method, target: target, requestTarget: requestTarget))
        header = .lines(fields)
        trailer = .lines(trailers)
        self.content = content
        self.version = version
    }

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - request: The request that it answers, for components with `req`; it must itself be a request.
    ///   - fields: The header fields, in order.
    ///   - trailers: The trailer fields, in order.
    ///   - content: The content; empty for none, nil when it is not at hand.
    ///   - version: How the message was framed.
    public init(
        status: HTTPStatus,
        answering request: SignableMessage?,
        fields: [FieldLine] = [],
        trailers: [FieldLine] = [],
        content: [UInt8]? = [],
        version: WireVersion = .http1
    ) {
        kind = .response(status: status, request: request)
        header = .lines(fields)
        trailer = .lines(trailers)
        self.content = content
        self.version = version
    }

    /// Takes a request as this package sends it; a body that is not in memory is content that is not at hand.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - requestTarget: What the first line of a request that was received says, which `@request-target` is (RFC 9421,
    ///     section 2.2.5); nil for path and query of the target, which is how this package sends it.
    public init(_ request: HTTPRequest, requestTarget: String? = nil) {
        self.init(
            RequestLine(request, requestTarget: requestTarget),
            fields: request.fields,
            content: request.body.map(\.bytes) ?? []
        )
    }

    init(_ line: RequestLine, fields: HTTPFields, content: [UInt8]?) {
        kind = .request(line)
        header = .fields(fields)
        trailer = .lines([])
        self.content = content
        version = .http1
    }

    /// Takes a response with its trailers, and the request that it answers.
    ///
    /// Content that comes as a stream is not at hand, so a covered `Content-Digest` cannot be compared with it. Collect the
    /// stream into the body first, or compare with a ``DigestAccumulator``. Trailers of a stream are there after its end.
    public init(_ response: HTTPResponse, answering request: HTTPRequest?) {
        kind = .response(status: response.status, request: request.map { SignableMessage($0) })
        header = .fields(response.fields)
        trailer = .fields(response.stream?.trailers ?? response.trailers)
        content = response.stream == nil ? response.body : nil
        version = .http1
    }

    /// The header or trailer fields.
    func section(inTrailers: Bool) -> FieldSection { inTrailers ? trailer : header }

    package var isRequest: Bool {
        if case .request = kind { true } else { false }
    }

    /// The method and the target of a request; nil for a response.
    package var requestLine: (method: HTTPMethod, target: SignableTarget)? {
        if case .request(let line) = kind { (line.method, line.target) } else { nil }
    }

    /// The request that a response answers.
    var relatedRequest: SignableMessage? {
        if case .response(_, let request) = kind { request } else { nil }
    }

    /// The message as clients see it, for a server behind a proxy.
    func seen(from origin: ExternalOrigin?) -> SignableMessage {
        guard let origin, case .request(let line) = kind else { return self }
        var message = self
        message.kind = .request(
            RequestLine(
                method: line.method,
                target: line.target.replacingOrigin(origin),
                requestTarget: line.requestTarget
            )
        )
        return message
    }

    /// The canonical values of a header or trailer field, a line each.
    package func values(_ name: String, inTrailers: Bool) -> [[UInt8]] {
        section(inTrailers: inTrailers).lines.lazy.filter { $0.name == name }
            .map { $0.canonicalValue(version) }
    }
}

extension SignableMessage: CustomStringConvertible, CustomReflectable {
    /// The method and the target, or the status; neither query nor fields nor content, which may hold secrets.
    public var description: String {
        switch kind {
        case .request(let line): "\(line.method) \(line.target)"
        case .response(let status, _): "\(status)"
        }
    }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
