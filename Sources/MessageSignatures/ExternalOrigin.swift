/// Scheme and authority as the clients see them, for a server behind a proxy that ends TLS or changes `Host`.
///
/// It is for the operator to say: a forwarding header that anybody can send must not choose what is verified
/// (RFC 9421, section 7.4.3).
public struct ExternalOrigin: Sendable, Hashable {
    /// The scheme in lower case.
    public let scheme: String
    /// Host and port, as `@authority` gives them.
    public let authority: String

    /// Reads an origin such as `https://api.example.com`.
    ///
    /// - Throws: ``SignatureError`` with code `malformedURL` for a text with more than a scheme and an authority.
    public init(_ origin: String) throws(SignatureError) {
        let target = try SignableTarget(origin)
        guard target.originForm == "/", !origin.hasSuffix("/"), !origin.contains("#"), !origin.contains("@")
        else { throw SignatureError(.malformedURL, "an origin is a scheme and an authority, and no more") }
        scheme = target.scheme
        authority = target.authority
    }
}
