/// What a client was asked to put into its attestation.
public struct IssuedChallenge: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// Whose it is: a text that nobody can guess.
    public let sessionID: String
    /// The nonce: a text whose octets in UTF-8 are hashed into the attestation.
    public let nonce: String
    /// The kind of key that may be attested with it.
    public let kind: AttestationKind

    /// Makes a challenge.
    public init(sessionID: String, nonce: String, kind: AttestationKind) {
        self.sessionID = sessionID
        self.nonce = nonce
        self.kind = kind
    }

    /// The kind; session and nonce are not shown.
    public var description: String { "a challenge for \(kind)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
