public import HTTPMessages

/// The target URI of a request, split into the parts that signatures cover (RFC 9421, section 2.2).
///
/// Path and query stay as they are on the wire: no escape is decoded and no dot segment taken out.
public struct SignableTarget: Sendable, Hashable {
    /// The scheme in lower case.
    public let scheme: String
    /// Host and port in lower case; the port of the scheme itself is left out.
    public let authority: String
    /// The path as written; an empty one is `/`.
    public let path: String
    /// The query as written, without its `?`; nil when there is none.
    public let query: String?
    /// How scheme, host and port were written, with `://` between them; nil when the parts above say that.
    let writtenOrigin: String?

    /// Splits an absolute URI, whose text ``uri`` keeps as written.
    ///
    /// It takes more than `RequestTarget` does, because a verifier sees what others sent: a host with a dot at its
    /// end, an empty port, a user, which is left out.
    ///
    /// - Throws: ``SignatureError`` with code `malformedURL` when there is no host, when host or port cannot be one, or
    ///   when the text holds a control character, a space or an octet outside of ASCII.
    public init(_ url: String) throws(SignatureError) {
        var parser = TargetParser(url)
        self = try parser.parse()
    }

    /// Takes the target of a request as its receiver will put it together: from the scheme of the connection, `Host` and
    /// the first line (RFC 9110, section 7.1), none of which tell how the app wrote scheme, host and port.
    public init(_ target: RequestTarget) {
        self.init(
            scheme: target.scheme,
            authority: target.authority,
            path: target.path,
            query: target.query
        )
    }

    init(scheme: String, authority: String, path: String, query: String?, writtenOrigin: String? = nil) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.query = query
        self.writtenOrigin = writtenOrigin
    }

    /// The whole URI without a fragment and without a user.
    public var uri: String { (writtenOrigin ?? "\(scheme)://\(authority)") + originForm }

    /// Path and query as the first line of a request gives them (RFC 9112, section 3.2.1).
    public var originForm: String { query.map { "\(path)?\($0)" } ?? path }

    /// The same path and query under the origin that clients use.
    func replacingOrigin(_ origin: ExternalOrigin) -> SignableTarget {
        SignableTarget(
            scheme: origin.scheme,
            authority: origin.authority,
            path: path,
            query: query
        )
    }
}

extension SignableTarget: CustomStringConvertible, CustomReflectable {
    /// Scheme, authority and path; a query may hold a secret and is not shown.
    public var description: String { "\(scheme)://\(authority)\(path)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
