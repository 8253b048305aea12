import Encodings
public import HTTPMessages
public import JSONWebTokens

/// What an installation must know of its account, as one line that is made once and shipped with the app.
///
/// ``encoded()`` makes the line and ``init(parsing:)`` reads it. It holds nothing secret.
public struct ProtectionConfiguration: Sendable {
    /// The URL of the attestation authority.
    public let authority: RequestTarget
    /// The identifier of the account at the authority.
    public let account: String
    /// The hosts that get tokens.
    public let protectedHosts: [HostPattern]
    /// The keys that servers are pinned to.
    public let pins: PinningPolicy
    /// The authority's public key, for whoever verifies its tokens.
    ///
    /// The service does not: it takes what its token fetcher gives. A fetcher or an app that wants to know whose a token is
    /// compares with this key.
    public let authorityKey: JSONWebKey
    let authorityKeyObject: JSONObject

    /// Makes a configuration.
    ///
    /// - Throws: ``ConfigurationError`` with code `invalidField` when the account is empty or holds other characters
    ///   than visible ASCII, when no host is protected, or when the key is a secret. Of a private key only the public
    ///   half is ever written.
    public init(
        authority: RequestTarget,
        account: String,
        protectedHosts: [HostPattern],
        pins: PinningPolicy = PinningPolicy(),
        authorityKey: JSONWebKey
    ) throws(ConfigurationError) {
        guard !account.isEmpty, account.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ConfigurationError(.invalidField, "account is not a text of visible ASCII")
        }
        guard !protectedHosts.isEmpty else {
            throw ConfigurationError(.invalidField, "hosts is empty")
        }
        guard let keyObject = try? authorityKey.publicObject() else {
            throw ConfigurationError(.invalidField, "key is a secret, and not a public key")
        }
        self.authority = authority
        self.account = account
        self.protectedHosts = protectedHosts
        self.pins = pins
        self.authorityKey = authorityKey
        authorityKeyObject = keyObject
    }

    /// Whether a host, given in lower case, is one that gets tokens.
    public func protects(_ host: String) -> Bool {
        protectedHosts.contains { $0.matches(host) }
    }
}
