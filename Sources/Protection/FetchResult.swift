public import FoundationEssentials

/// What a ``TokenFetcher`` answers: a status, and what goes with it.
///
/// The description shows no token and no secret; ``loggableToken`` is the form for logs.
public struct FetchResult: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// How the fetch went.
    public var status: FetchStatus
    /// The token or custom JWT in compact form; empty when there is none.
    public var token: String
    /// When the token ends; nil when the fetcher cannot tell, and the token then serves the requests that wait for it and no
    /// later one.
    ///
    /// A fetcher whose tokens are good for one request each says ``TokenFetcher/hasOwnCache``.
    public var expiresAt: Date?
    /// The secret that a key stands for; nil when there is none.
    public var secureString: String?
    /// The attestation response code: what a support team needs to find out why an attestation ended as it did.
    public var arc: String?
    /// Why an attestation was rejected, as the account's policy chooses to tell it.
    public var rejectionReasons: String?
    /// An identifier under which client and backend logs can be brought together.
    public var traceID: String?
    /// The token's claims as JSON, without its signature.
    public var loggableToken: String?
    /// One sentence on what went wrong, free of secrets.
    public var detail: String?
    /// Whether the account's configuration has changed since it was last read.
    public var isConfigurationChanged: Bool

    /// Makes a result.
    public init(
        status: FetchStatus,
        token: String = "",
        expiresAt: Date? = nil,
        secureString: String? = nil,
        arc: String? = nil,
        rejectionReasons: String? = nil,
        traceID: String? = nil,
        loggableToken: String? = nil,
        detail: String? = nil,
        isConfigurationChanged: Bool = false
    ) {
        self.status = status
        self.token = token
        self.expiresAt = expiresAt
        self.secureString = secureString
        self.arc = arc
        self.rejectionReasons = rejectionReasons
        self.traceID = traceID
        self.loggableToken = loggableToken
        self.detail = detail
        self.isConfigurationChanged = isConfigurationChanged
    }

    /// The status and what may be logged.
    public var description: String {
        var parts = [status.rawValue]
        if let detail { parts.append("(\(detail))") }
        if let loggableToken { parts.append(loggableToken) }
        return parts.joined(separator: " ")
    }

    /// Only the status, so that a dump of the value shows no secret.
    public var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}
