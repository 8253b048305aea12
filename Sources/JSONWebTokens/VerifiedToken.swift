/// A token that passed every check: only ``TokenVerifier`` makes such values.
public struct VerifiedToken: Sendable, Hashable {
    /// The header, covered by the signature.
    public let header: TokenHeader
    /// The claims, which the issuer vouches for.
    public let claims: TokenClaims
    /// The token as it came, which is a credential: whoever has it can use it.
    public let compactText: String

    init(header: TokenHeader, claims: TokenClaims, compactText: String) {
        self.header = header
        self.claims = claims
        self.compactText = compactText
    }
}

extension VerifiedToken: CustomStringConvertible, CustomReflectable {
    /// The end of the token's life, and nothing of the token.
    public var description: String { "VerifiedToken(exp: \(claims.expiration.map(String.init) ?? "none"))" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
