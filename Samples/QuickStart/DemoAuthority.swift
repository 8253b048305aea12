import AttestationAuthority
import Cryptography
import EmbeddedAttestation
import Encodings
import HTTPMessages
import JSONWebTokens
import Protection

/// The authority, inside this process, with one account.
struct DemoAuthority {
    /// The secret that the backend wants; random, so that it stands nowhere in the program.
    static let shapesKey = (try? RandomBytes.generate(count: 16)).map { Hex.encode($0) } ?? ""

    let issuer = "https://authority.example"
    let configurationLine: String
    let publicKeys: JSONWebKeySet
    let outage = Outage()
    let fetcher: OutageFetcher

    init() async throws {
        let signingKey = try PrivateKey.generate(.p256)
        let authority = try AttestationAuthority(
            issuer: issuer,
            signingKey: JSONWebKey(signingKey, keyID: "demo-1"),
            store: InMemoryAuthorityStore()
        )
        try await authority.addAccount(Account(id: "demo", protectedHosts: [HostPattern("localhost")]))
        try await authority.setSecureString("shapes-api-key", account: "demo", to: Self.shapesKey)
        let publicKey = try JSONWebKey(signingKey.publicKey, keyID: "demo-1")
        publicKeys = try JSONWebKeySet([publicKey])
        configurationLine = try ProtectionConfiguration(
            authority: RequestTarget(issuer),
            account: "demo",
            protectedHosts: [HostPattern("localhost")],
            authorityKey: publicKey
        ).encoded()
        fetcher = OutageFetcher(
            base: try EmbeddedTokenFetcher(authority: authority, account: "demo", clientAddress: "127.0.0.1"),
            outage: outage
        )
    }

    var secret: String { Self.shapesKey }

    /// The claims of the last token.
    var lastLoggableToken: String { outage.lastLoggableToken }
}
