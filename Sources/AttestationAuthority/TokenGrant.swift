/// A token that the authority has minted.
public struct TokenGrant: Sendable, CustomStringConvertible, CustomReflectable {
    /// The token in compact form.
    public let token: String
    /// When it ends, in seconds since 1970.
    public let endsAt: Int64
    /// The attestation response code that the token carries too.
    public let arc: String
    /// An identifier for client and backend logs.
    public let traceID: String
    /// The claims as JSON, for logs.
    public let loggableForm: String

    /// The claims; the token itself is not shown.
    public var description: String { loggableForm }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
