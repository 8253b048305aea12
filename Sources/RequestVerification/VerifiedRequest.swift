public import JSONWebTokens
public import MessageSignatures

/// The proof that a request came from an installation that the authority vouches for; only ``RequestVerifier`` makes it.
public struct VerifiedRequest: Sendable {
    /// The token.
    public let token: VerifiedToken
    /// The message signatures that were verified; none when the policy does not look at them, or lets a request without
    /// any pass.
    public let signatures: [VerifiedMessage]

    /// What the token says.
    public var claims: TokenClaims { token.claims }

    /// Whether every part of the content is vouched for by a signature.
    public var isContentVerified: Bool { signatures.contains(where: \.isContentVerified) }
}

extension VerifiedRequest: CustomStringConvertible, CustomReflectable {
    /// The token and the signatures, without a value of them.
    public var description: String { "\(token), signatures: \(signatures)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
