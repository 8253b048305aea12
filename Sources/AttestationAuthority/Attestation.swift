/// The outcome of one attestation, kept so that its response code can be looked up.
public struct Attestation: Sendable, Hashable {
    /// The attestation response code: 16 characters that stand in the token and in the client's log.
    public let arc: String
    /// The installation that attested.
    public let installation: String
    /// When, in seconds since 1970.
    public let date: Int64
    /// Why it was rejected; empty when it passed.
    public let rejectionReasons: [String]

    /// Makes an outcome.
    public init(arc: String, installation: String, date: Int64, rejectionReasons: [String]) {
        self.arc = arc
        self.installation = installation
        self.date = date
        self.rejectionReasons = rejectionReasons
    }
}
