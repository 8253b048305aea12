import AttestationAuthority
import Cryptography
import EmbeddedAttestation
import Encodings
import FoundationEssentials
import HTTPMessages
import JSONWebTokens
import Protection
import ProtectionTesting
import RequestVerification
import Testing

@Suite("Embedded token fetcher") struct EmbeddedTokenFetcherTests {
    private let time = ManualTime()
    private let authority: AttestationAuthority
    private let key: JSONWebKey

    init() async throws {
        key = try JSONWebKey(PrivateKey.generate(.p256), keyID: "k1")
        authority = try AttestationAuthority(
            issuer: "authority",
            signingKey: key,
            store: InMemoryAuthorityStore(),
            time: time.source
        )
        try await authority.addAccount(
            Account(
                id: "open",
                protectedHosts: [HostPattern("api.example.com")],
                developmentKeyHashes: [AttestationAuthority.developmentKeyHash("development")]
            )
        )
        try await authority.addAccount(
            Account(
                id: "closed",
                protectedHosts: [HostPattern("api.example.com")],
                admission: .approvedInstallations,
                developmentKeyHashes: [AttestationAuthority.developmentKeyHash("development")]
            )
        )
    }

    private func service(_ account: String) throws -> ProtectionService {
        let service = ProtectionService(options: .init(time: time.source, prefetches: false))
        service.setLoggingLevel(.off)
        let configuration = try ProtectionConfiguration(
            authority: RequestTarget("https://authority.example/"),
            account: account,
            protectedHosts: [HostPattern("api.example.com"), HostPattern("extra.example.com")],
            authorityKey: key
        )
        try service.initialize(
            config: configuration.encoded(),
            fetcher: EmbeddedTokenFetcher(authority: authority, account: account)
        )
        return service
    }

    private func verifier() throws -> RequestVerifier {
        try RequestVerifier(
            keys: JSONWebKeySet([key]),
            policy: .init(issuer: "authority", audience: "api.example.com", bindingHeaders: [.authorization]),
            time: time.source
        )
    }

    @Test func aBackendBelievesTheToken() async throws {
        let service = try service("open")
        try service.setBindingHeaders([.authorization])
        #expect(service.deviceID == nil)
        var request = try HTTPRequest(url: "https://api.example.com/")
        try request.fields.set("Bearer alice", for: .authorization)
        let sent = try await service.protect(request)
        let token = try verifier().verify(sent)
        #expect(token.claims["did"]?.string == service.deviceID)
        #expect(token.claims["arc"]?.string == service.lastARC)
        #expect(sent.fields["Protection-TraceID"] != nil)
        var stolen = sent
        try stolen.fields.set("Bearer mallory", for: .authorization)
        let error = try #require(throws: VerificationError.self) { try verifier().verify(stolen) }
        #expect(error.code == .bindingMismatch)
    }

    @Test func aTokenEndsAndIsFetchedAgain() async throws {
        let service = try service("open")
        let request = try HTTPRequest(url: "https://api.example.com/")
        let first = try await service.protect(request)
        time.advance(by: .seconds(301))
        let error = try #require(throws: VerificationError.self) { try verifier().verify(first) }
        #expect(error.code == .expiredToken)
        _ = try verifier().verify(try await service.protect(request))
    }

    @Test func aRejectionCarriesCodeAndReasons() async throws {
        let service = try service("closed")
        let request = try HTTPRequest(url: "https://api.example.com/")
        let error = try await #require(throws: ProtectionError.self) { try await service.protect(request) }
        #expect(error.code == .rejection && error.rejectionReasons == "not-approved")
        #expect(try await authority.attestation(arc: #require(error.arc)) != nil)
        #expect(service.lastARC == error.arc)
        service.setDevelopmentKey("development")
        _ = try verifier().verify(try await service.protect(request))
    }

    @Test func aHostTheAccountDoesNotProtectIsUnknown() async throws {
        let update = await (try service("open")).updateRequest(
            try HTTPRequest(url: "https://extra.example.com/")
        )
        #expect(update.decision == .proceed && !update.request.fields.contains("Protection-Token"))
    }

    @Test func secretsAndCustomJWTs() async throws {
        let service = try service("open")
        #expect(try await service.fetchSecureString("key") == nil)
        #expect(try await service.fetchSecureString("key", newDefinition: "secret") == "secret")
        #expect(try await service.fetchSecureString("key") == "secret")
        #expect(try await service.fetchSecureString("key", newDefinition: "") == nil)
        #expect(try await service.fetchCustomJWT(payload: #"{"order":1}"#).hasPrefix("eyJ"))
        let error = try await #require(throws: ProtectionError.self) {
            try await service.fetchCustomJWT(payload: #"{"exp":1}"#)
        }
        #expect(error.message.contains("BAD_PAYLOAD"))
        try await service.precheck()
    }

    @Test func aHundredCallersAreOneInstallation() async throws {
        let fetcher = try EmbeddedTokenFetcher(authority: authority, account: "open")
        let request = TokenRequest(url: try RequestTarget("https://api.example.com/"))
        let devices = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    _ = await fetcher.fetchToken(request)
                    return fetcher.deviceID
                }
            }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(devices.count == 1 && devices.first != .some(nil))
    }

    @Test func anotherAccountsConfigurationIsRefused() throws {
        let configuration = try ProtectionConfiguration(
            authority: RequestTarget("https://authority.example/"),
            account: "open",
            protectedHosts: [HostPattern("api.example.com")],
            authorityKey: key
        )
        let service = ProtectionService(options: .init(prefetches: false))
        let error = try #require(throws: ProtectionError.self) {
            try service.initialize(
                config: configuration.encoded(),
                fetcher: EmbeddedTokenFetcher(authority: authority, account: "closed")
            )
        }
        #expect(error.code == .configuration)
    }

    private func signed(
        _ fetcher: EmbeddedTokenFetcher,
        keys: SignatureParametersFactory.Keys
    ) throws -> ProtectionService {
        let service = ProtectionService(options: .init(time: time.source, prefetches: false))
        service.setLoggingLevel(.off)
        let configuration = try ProtectionConfiguration(
            authority: RequestTarget("https://authority.example/"),
            account: "open",
            protectedHosts: [HostPattern("api.example.com")],
            authorityKey: key
        )
        try service.initialize(config: configuration.encoded(), fetcher: fetcher)
        var factory = SignatureParametersFactory()
        factory.keys = keys
        service.setServiceMutator(
            MessageSigningMutator(keys: fetcher, factory: factory, time: time.source)
        )
        return service
    }

    private func signatureVerifier(_ accountKeys: [AccountKey] = []) throws -> RequestVerifier {
        var signatures = MessageSignaturePolicy(
            required: accountKeys.isEmpty ? [.installation] : [.installation, .account]
        )
        signatures.accountKey = { identifier in
            try accountKeys.first { $0.id == identifier }.map { try HMACKey($0.secret, .sha256) }
        }
        return try RequestVerifier(
            keys: JSONWebKeySet([key]),
            policy: .init(
                issuer: "authority",
                audience: "api.example.com",
                messageSignatures: signatures
            ),
            time: time.source
        )
    }

    @Test func aBackendBelievesTheSignatures() async throws {
        let first = try await authority.rotateAccountKey(account: "open")
        let fetcher = try EmbeddedTokenFetcher(authority: authority, account: "open")
        let service = try signed(fetcher, keys: .both)
        let request = try HTTPRequest(
            method: .post,
            url: "https://api.example.com/",
            body: HTTPBody("content")
        )
        let sent = try await service.protect(request)
        #expect(try signatureVerifier([first]).verify(sent).isContentVerified)
        // The token in the cache names the first key, a new one the second.
        let second = try await authority.rotateAccountKey(account: "open")
        _ = try signatureVerifier([first]).verify(try await service.protect(request))
        service.discardTokens()
        _ = try signatureVerifier([second]).verify(try await service.protect(request))
    }

    /// The account key is replaced between the token and the first signature; no request fails for that.
    @Test(arguments: 1...3) func aKeyThatTheTokenNamesIsFetchedLater(rotations: Int) async throws {
        let first = try await authority.rotateAccountKey(account: "open")
        let fetcher = try EmbeddedTokenFetcher(authority: authority, account: "open")
        let service = try signed(fetcher, keys: .both)
        let request = try HTTPRequest(url: "https://api.example.com/")
        _ = try await service.fetchToken(for: "https://api.example.com/")
        var present = first
        for _ in 0..<rotations { present = try await authority.rotateAccountKey(account: "open") }
        _ = try signatureVerifier([first]).verify(try await service.protect(request))
        // What names no key is signed with the present one all the same.
        let code = try await fetcher.accountSignature(of: [1], keyIdentifier: nil)
        #expect(try HMACKey(present.secret, .sha256).isValid(code, for: [1]))
        service.discardTokens()
        _ = try signatureVerifier([present]).verify(try await service.protect(request))
    }

    @Test func withoutAnAccountKeyNothingIsSentUnsigned() async throws {
        let service = try signed(
            EmbeddedTokenFetcher(authority: authority, account: "open"),
            keys: .account
        )
        let update = await service.updateRequest(try HTTPRequest(url: "https://api.example.com/"))
        let error = try #require(update.error as? ProtectionError)
        #expect((error.underlying as? AuthorityError)?.code == .noAccountKey)
        #expect(!update.request.fields.contains("Signature"))
    }

    @Test func aNewInstallationKeyIsEnrolledBeforeTheOldOneGoes() async throws {
        let first = try PrivateKey.generate(.p256)
        let fetcher = try EmbeddedTokenFetcher(
            authority: authority,
            account: "open",
            installationKey: first
        )
        let service = try signed(fetcher, keys: .installation)
        let request = try HTTPRequest(url: "https://api.example.com/")
        let before = try signatureVerifier().verify(try await service.protect(request))
        #expect(before.claims["ipk"]?.string == Base64.standard.encode(first.publicKey.spkiDER))
        let second = try PrivateKey.generate(.p256)
        try await fetcher.replaceInstallationKey(with: second)
        // The cached token still names the old key.
        let between = try signatureVerifier().verify(try await service.protect(request))
        #expect(between.claims["ipk"] == before.claims["ipk"])
        service.discardTokens()
        let after = try signatureVerifier().verify(try await service.protect(request))
        #expect(after.claims["ipk"]?.string == Base64.standard.encode(second.publicKey.spkiDER))
        #expect(after.claims["did"] == before.claims["did"])
    }

    @Test func aRefusedKeyLeavesTheOldOne() async throws {
        let fetcher = try EmbeddedTokenFetcher(authority: authority, account: "open")
        let service = try signed(fetcher, keys: .installation)
        let other = try PrivateKey.generate(.p384)
        await #expect(throws: (any Error).self) { try await fetcher.replaceInstallationKey(with: other) }
        let request = try HTTPRequest(url: "https://api.example.com/")
        _ = try signatureVerifier().verify(try await service.protect(request))
    }

    @Test func fetchesAtTheMomentOfAReplacementSucceed() async throws {
        let fetcher = try EmbeddedTokenFetcher(authority: authority, account: "open")
        let request = TokenRequest(url: try RequestTarget("https://api.example.com/"))
        let keys = try (0..<8).map { _ in try PrivateKey.generate(.p256) }
        try await withThrowingTaskGroup(of: FetchStatus.self) { group in
            for key in keys {
                group.addTask {
                    try await fetcher.replaceInstallationKey(with: key)
                    return .success
                }
            }
            for _ in 0..<64 { group.addTask { await fetcher.fetchToken(request).status } }
            for try await status in group { #expect(status == .success) }
        }
    }
}
