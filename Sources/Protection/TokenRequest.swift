public import HTTPMessages

/// What a token is asked for.
public struct TokenRequest: Sendable, Hashable {
    /// The URL that the token will be sent to.
    public let url: RequestTarget
    /// The `aud` claim: the host of the URL, so that one API cannot use a token at another.
    public let audience: String
    /// The SHA-256 of what the token is bound to, 32 octets; nil binds it to nothing.
    public let dataHash: [UInt8]?

    /// Makes a request for a token whose audience is the URL's host.
    public init(url: RequestTarget, dataHash: [UInt8]? = nil) {
        self.url = url
        audience = url.host
        self.dataHash = dataHash
    }
}
