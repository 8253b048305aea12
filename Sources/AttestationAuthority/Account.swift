public import HTTPMessages

/// One customer of the authority: the hosts it protects and what its installations must be.
public struct Account: Sendable, Hashable {
    /// Which installations get tokens.
    public enum Admission: String, Sendable, Hashable {
        /// Every installation that proves its key.
        case everyInstallation
        /// Those that were approved, and those that show a development key.
        case approvedInstallations
    }

    /// The identifier, which configurations name.
    public let id: String
    /// The hosts that tokens are minted for.
    public var protectedHosts: [HostPattern]
    /// Which installations get tokens.
    public var admission: Admission
    /// How long a token is good, in whole seconds, at least one.
    public var tokenLifetime: Duration
    /// The SHA-256 of each development key, in hexadecimal.
    public var developmentKeyHashes: Set<String>

    /// Makes an account.
    public init(
        id: String,
        protectedHosts: [HostPattern],
        admission: Admission = .everyInstallation,
        tokenLifetime: Duration = .seconds(300),
        developmentKeyHashes: Set<String> = []
    ) {
        self.id = id
        self.protectedHosts = protectedHosts
        self.admission = admission
        self.tokenLifetime = tokenLifetime
        self.developmentKeyHashes = developmentKeyHashes
    }
}
