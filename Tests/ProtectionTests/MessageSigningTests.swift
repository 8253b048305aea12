import Cryptography
import Encodings
import FoundationEssentials
import HTTPMessages
import JSONWebTokens
import MessageSignatures
import Protection
import ProtectionTesting
import TestSupport
import Testing
import Timing

@Suite("Message signing mutator") struct MessageSigningTests {
    struct AppError: Error {}

    /// Lets requests go unsigned, or changes them before they are signed.
    struct Lenient: ServiceMutator {
        func messageSigningFailed(
            _ error: any Error,
            for request: HTTPRequest
        ) throws -> SigningFailureDecision {
            .sendUnsigned
        }
    }

    struct Adding: ServiceMutator {
        func processedRequest(_ request: HTTPRequest, mutations: RequestMutations) throws -> HTTPRequest {
            var request = request
            try request.fields.set("added", for: "X-App")
            return request
        }
    }

    private let time = ManualTime()
    private let installation: PrivateKey
    private let keys: SigningKeys

    init() throws {
        installation = try PrivateKey.generate(.p256)
        keys = try SigningKeys(installation: installation)
        try keys.setAccountKey(SecretBytes([UInt8](repeating: 5, count: 32)), identifier: "a1")
    }

    func token(publicKey: PublicKey? = nil, accountKey: String? = "a1") throws -> String {
        var claims = TokenClaims()
        claims["ipk"] = .string(Base64.standard.encode((publicKey ?? installation.publicKey).spkiDER))
        if let accountKey { claims["mskid"] = .string(accountKey) }
        return try TokenSigner(key: JSONWebKey(PrivateKey.generate(.p256), keyID: "k")).sign(claims)
    }

    func service(
        _ mutator: MessageSigningMutator,
        token: String? = nil,
        traceID: String? = nil
    ) throws -> ProtectionService {
        let answer = try ScriptedTokenFetcher.Answer(
            FetchResult(status: .success, token: token ?? self.token(), traceID: traceID)
        )
        let service = try TestConfiguration.service(
            ScriptedTokenFetcher(tokens: [answer]),
            time: time,
            hosts: ["example.com", "static.example.com", "*.example.com"]
        )
        service.setServiceMutator(mutator)
        return service
    }

    func mutator(
        wrapping wrapped: any ServiceMutator = DefaultServiceMutator(),
        _ change: (inout SignatureParametersFactory) -> Void = { _ in }
    ) -> MessageSigningMutator {
        var factory = SignatureParametersFactory()
        change(&factory)
        return MessageSigningMutator(keys: keys, wrapping: wrapped, factory: factory, time: time.source)
    }

    func request(
        _ url: String = "https://example.com/shapes?x=1",
        body: HTTPBody? = nil
    ) throws
        -> HTTPRequest
    {
        var request = try HTTPRequest(method: body == nil ? .get : .post, url: url, body: body)
        try request.fields.set("Bearer user", for: .authorization)
        return request
    }

    func verify(
        _ request: HTTPRequest,
        _ label: String = "install",
        key: PublicKey? = nil
    ) throws -> VerifiedMessage {
        let key =
            try label == "account"
            ? MessageVerificationKey(HMACKey(SecretBytes([UInt8](repeating: 5, count: 32)), .sha256))
            : MessageVerificationKey(key ?? installation.publicKey, algorithm: .ecdsaP256SHA256)
        let verifier = MessageVerifier(
            policy: VerificationPolicy(requiredComponents: [.method, .targetURI]),
            now: { [time] in time.source.secondsSince1970 },
            key: { _ in key }
        )
        return try verifier.verify(SignableMessage(request), label: label)
    }

    @Test func theDefaultsAreThoseOfThePeers() async throws {
        var request = try request(body: HTTPBody("{}"))
        try request.fields.set("application/json", for: .contentType)
        let sent = try await service(mutator()).protect(request)
        let verified = try verify(sent)
        #expect(
            verified.components.map(\.identifier.serialized) == [
                "\"@method\"", "\"@target-uri\"", "\"protection-token\"", "\"authorization\"",
                "\"content-length\"", "\"content-type\"", "\"content-digest\"",
            ]
        )
        let created = time.source.secondsSince1970
        let parameters = "alg=\"ecdsa-p256-sha256\";created=\(created);expires=\(created + 15)"
        #expect(sent.fields["Signature-Input"]?.hasSuffix(");" + parameters) == true)
        #expect(sent.fields["Signature-Input"]?.hasPrefix("install=(") == true)
        #expect(verified.isContentVerified)
        #expect(sent.fields["Content-Digest"]?.hasPrefix("sha-256=:") == true)
    }

    @Test func bothKeysSignTheSameComponents() async throws {
        let sent = try await service(mutator { $0.keys = .both }).protect(request(body: HTTPBody("x")))
        let components = try ["install", "account"].map { try verify(sent, $0).components.map(\.identifier) }
        #expect(components[0] == components[1])
        #expect(try verify(sent, "account").algorithm == .hmacSHA256)
        let one = try await service(mutator { $0.keys = .account }).protect(request())
        #expect(one.fields["Signature"]?.hasPrefix("account=:") == true)
        #expect(one.fields["Signature"]?.contains("install=") == false)
    }

    @Test func everySettingShows() async throws {
        let mutator = mutator {
            $0.baseComponents = [.method, .authority, .path]
            $0.coversToken = false
            $0.optionalHeaders = ["Accept", "X-Absent"]
            $0.bodyDigest = .required
            $0.digestAlgorithm = .sha512
            $0.statesAlgorithm = false
            $0.lifetime = nil
            $0.includesNonce = true
            $0.keyIdentifier = "key-1"
            $0.tag = "app"
        }
        var request = try request()
        try request.fields.set("*/*", for: "Accept")
        let service = try service(mutator)
        let sent = try await service.protect(request)
        let input = try #require(sent.fields["Signature-Input"])
        #expect(
            input.hasPrefix(
                "install=(\"@method\" \"@authority\" \"@path\" \"accept\" \"content-digest\");created="
            )
        )
        #expect(input.hasSuffix(";keyid=\"key-1\";tag=\"app\"") && input.contains(";nonce=\""))
        #expect(!input.contains("expires") && !input.contains("alg="))
        #expect(sent.fields["Content-Digest"]?.hasPrefix("sha-512=:z4PhNX7v") == true)
        let second = try await service.protect(request)
        #expect(second.fields["Signature-Input"] != input)
    }

    @Test func statesNothingOnRequest() async throws {
        let sent = try await service(
            mutator {
                $0.statesCreated = false
                $0.lifetime = nil
                $0.bodyDigest = .none
            }
        ).protect(request(body: HTTPBody("x")))
        #expect(sent.fields["Signature-Input"]?.hasSuffix(");alg=\"ecdsa-p256-sha256\"") == true)
        #expect(!sent.fields.contains("Content-Digest"))
    }

    @Test func theTraceIdentifierIsCovered() async throws {
        let result = FetchResult(status: .success, token: try token(), traceID: "trace-1")
        let service = try TestConfiguration.service(ScriptedTokenFetcher(tokens: [.init(result)]), time: time)
        service.setServiceMutator(mutator())
        let sent = try await service.protect(request())
        #expect(try verify(sent)[.field("Protection-TraceID")] == "trace-1")
    }

    @Test func aTokenHeaderOfItsOwnIsSignedToo() async throws {
        let service = try service(mutator())
        try service.setTokenHeader("Authorization", prefix: "Bearer ")
        var request = try HTTPRequest(url: "https://example.com/")
        try request.fields.set("text/plain", for: .contentType)
        let sent = try await service.protect(request)
        #expect(try verify(sent)[.field(.authorization)]?.hasPrefix("Bearer ey") == true)
    }

    @Test func hostsHaveFactoriesOfTheirOwn() async throws {
        var mutator = mutator()
        var wildcard = SignatureParametersFactory()
        wildcard.tag = "wildcard"
        mutator.setFactory(wildcard, for: try HostPattern("*.example.com"))
        mutator.setFactory(nil, for: try HostPattern("static.example.com"))
        let service = try service(mutator)
        #expect(try verify(await service.protect(request())).parameters.tag == nil)
        let tagged = try await service.protect(request("https://a.example.com/"))
        #expect(try verify(tagged).parameters.tag == "wildcard")
        let unsigned = try await service.protect(request("https://static.example.com/"))
        #expect(!unsigned.fields.contains("Signature") && unsigned.fields.contains("Protection-Token"))
        mutator.factory = nil
        let plain = try await self.service(mutator).protect(request())
        #expect(!plain.fields.contains("Signature"))
    }

    @Test func whatCarriesNoTokenIsNotSigned() async throws {
        let service = try TestConfiguration.service(
            ScriptedTokenFetcher(tokens: [.status(.noAttestationService)]),
            time: time
        )
        service.setServiceMutator(mutator())
        // The default policy proceeds without a token here.
        var request = try request()
        try request.fields.set("mine", for: "Protection-Token")
        let update = await service.updateRequest(request)
        #expect(!update.request.fields.contains("Signature"))
    }

    @Test func theWrappedMutatorComesFirst() async throws {
        let mutator = mutator(wrapping: Adding()) { $0.optionalHeaders = ["X-App"] }
        let sent = try await service(mutator).protect(request())
        #expect(try verify(sent)[.field("X-App")] == "added")
    }

    @Test(arguments: [
        "precheck", "fetchToken", "secureString", "customJWT", "shouldProcess", "interceptorFetchToken",
        "headerSubstitution", "querySubstitution", "processedRequest", "shouldPin",
    ])
    func everyHookIsTheWrappedMutators(hook: String) async throws {
        let mutator = mutator(wrapping: HookTests.Throwing(hook: hook))
        let result = FetchResult(status: .success)
        let request = try request()
        let error = await #expect(throws: HookTests.AppError.self) {
            switch hook {
            case "precheck": try await mutator.precheckResult(result)
            case "fetchToken": try await mutator.fetchTokenResult(result, for: request.target)
            case "secureString": try await mutator.fetchSecureStringResult(result, for: "key")
            case "customJWT": try await mutator.fetchCustomJWTResult(result)
            case "shouldProcess": _ = try await mutator.shouldProcess(request)
            case "interceptorFetchToken":
                _ = try await mutator.interceptorFetchTokenResult(result, for: request.target)
            case "headerSubstitution":
                _ = try await mutator.headerSubstitutionResult(result, for: "X-Key")
            case "querySubstitution":
                _ = try await mutator.queryParameterSubstitutionResult(result, for: "key")
            case "processedRequest": _ = try await service(mutator).protect(request)
            default: _ = try await mutator.shouldPin(request)
            }
        }
        #expect(error?.hook == hook)
    }

    @Test func theKeyIsTheOneThatTheTokenNames() async throws {
        let old = try token()
        let service = try service(mutator { $0.keys = .both }, token: old)
        let successor = try PrivateKey.generate(.p256)
        try keys.setInstallationKey(PrivateKey.generate(.p256))
        try keys.setInstallationKey(successor)
        try keys.setAccountKey(SecretBytes([UInt8](repeating: 9, count: 32)), identifier: "a2")
        try keys.setAccountKey(SecretBytes([UInt8](repeating: 8, count: 32)), identifier: "a3")
        let sent = try await service.protect(request())
        _ = try verify(sent)
        _ = try verify(sent, "account")
        let renewed = try await self.service(mutator(), token: token(publicKey: successor.publicKey))
            .protect(request())
        _ = try verify(renewed, key: successor.publicKey)
    }

    @Test func onlySoManyKeysAreKept() async throws {
        for number in 2...9 {
            let secret = SecretBytes([UInt8](repeating: UInt8(number), count: 32))
            try keys.setAccountKey(secret, identifier: "a\(number)")
        }
        #expect(!keys.hasAccountKey("a1") && keys.hasAccountKey("a2"))
        try keys.setAccountKey(
            SecretBytes([UInt8](repeating: 5, count: 32)),
            identifier: "a1",
            isPresent: false
        )
        #expect(keys.hasAccountKey("a1") && keys.hasAccountKey("a9"))
        let (code, present) = try await (
            keys.accountSignature(of: [1], keyIdentifier: nil),
            keys.accountSignature(of: [1], keyIdentifier: "a9")
        )
        #expect(code == present)
    }

    @Test func aTokenThatIsNoJWTIsSignedForWithThePresentKey() async throws {
        _ = try verify(try await service(mutator(), token: "opaque").protect(request()))
    }

    static let failures:
        [(String, @Sendable (inout SignatureParametersFactory, inout HTTPRequest) throws -> Void)] = [
            (
                "a component without a value",
                { factory, _ in factory.baseComponents.append(.field("X-Absent")) }
            ),
            (
                "another digest",
                { _, request in
                    request.body = HTTPBody("x")
                    try request.fields.set(
                        "sha-256=:\(Base64.standard.encode([UInt8](repeating: 0, count: 32))):",
                        for: "Content-Digest"
                    )
                }
            ),
            (
                "a label that is taken",
                { _, request in
                    try request.fields.set("install=()", for: "Signature-Input")
                    try request.fields.set("install=:AA==:", for: "Signature")
                }
            ),
            (
                "octets outside ASCII",
                { factory, request in
                    factory.optionalHeaders = ["X-Name"]
                    try request.fields.set("ä", for: "X-Name")
                }
            ),
            ("no digest for a tag", { factory, _ in factory.tag = "ä" }),
        ]

    @Test(arguments: failures.indices)
    func whatCannotBeSignedIsNotSent(index: Int) async throws {
        var factory = SignatureParametersFactory()
        var request = try request()
        try Self.failures[index].1(&factory, &request)
        let signing = MessageSigningMutator(keys: keys, factory: factory, time: time.source)
        let update = try await service(signing).updateRequest(request)
        let error = try #require(update.error as? ProtectionError)
        #expect(update.decision == .fail && error.code == .permanent && error.underlying is SignatureError)
        #expect(update.request == request)
        // Only the mutator may let it go.
        let lenient = MessageSigningMutator(
            keys: keys,
            wrapping: Lenient(),
            factory: factory,
            time: time.source
        )
        let sent = try await service(lenient).protect(request)
        #expect(sent.fields["Signature"] == request.fields["Signature"])
    }

    @Test func aMissingKeyStopsTheRequest() async throws {
        for (keys, token) in [
            (try SigningKeys(), try token()),
            (self.keys, try token(publicKey: PrivateKey.generate(.p256).publicKey)),
        ] {
            let signing = MessageSigningMutator(keys: keys, time: time.source)
            let update = try await service(signing, token: token).updateRequest(request())
            #expect((update.error as? ProtectionError)?.code == .permanent)
        }
        var factory = SignatureParametersFactory()
        factory.keys = .account
        let signing = MessageSigningMutator(keys: keys, factory: factory, time: time.source)
        let update = try await service(signing, token: token(accountKey: "a9")).updateRequest(request())
        #expect((update.error as? ProtectionError)?.code == .permanent)
    }

    @Test func keysOfAnotherKindAreRefused() throws {
        let other = try PrivateKey.generate(.ed25519)
        #expect(throws: ProtectionError.self) { try SigningKeys(installation: other) }
        #expect(throws: ProtectionError.self) {
            try keys.setAccountKey(SecretBytes([UInt8](repeating: 1, count: 31)), identifier: "short")
        }
    }

    @Test func theServiceSignsOctetsOfTheApp() async throws {
        let service = ProtectionService(options: .init(prefetches: false))
        service.setLoggingLevel(.off)
        let error = await #expect(throws: ProtectionError.self) {
            try await service.installationSignature(of: [1])
        }
        #expect(error?.code == .configuration)
        // A fetcher without keys says so.
        let bare = try TestConfiguration.service(ScriptedTokenFetcher())
        await #expect(throws: ProtectionError.self) { try await bare.installationSignature(of: [1]) }
        await #expect(throws: ProtectionError.self) { try await bare.accountSignature(of: [1]) }
        let fetcher = ScriptedTokenFetcher()
        fetcher.setSigningKeys(keys)
        let signing = try TestConfiguration.service(fetcher)
        let signature = try await signing.installationSignature(of: Array("message".utf8))
        #expect(try Base64.standard.decode(signature.base64) == signature.bytes)
        #expect(
            try installation.publicKey.isValidSignature(
                signature.bytes,
                for: Array("message".utf8),
                using: .ecdsaP256SHA256
            )
        )
        let code = try await signing.accountSignature(of: Array("message".utf8))
        let key = try HMACKey(SecretBytes([UInt8](repeating: 5, count: 32)), .sha256)
        #expect(try key.isValid(code.bytes, for: Array("message".utf8)))
    }
}
