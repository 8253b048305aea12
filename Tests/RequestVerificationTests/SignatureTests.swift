import Cryptography
import Encodings
import HTTPMessages
import JSONWebTokens
import Locking
import MessageSignatures
import ProtectionTesting
import RequestVerification
import Testing
import Timing

@Suite("Message signatures of requests") struct SignatureTests {
    struct Outage: Error {}

    let time = ManualTime()
    private let authority: JSONWebKey
    let installation: PrivateKey
    let secret = SecretBytes([UInt8](repeating: 3, count: 32))

    init() throws {
        authority = try JSONWebKey(PrivateKey.generate(.p256), keyID: "k1")
        installation = try PrivateKey.generate(.p256)
    }

    func request(
        body: HTTPBody? = HTTPBody("{\"x\":1}"),
        _ change: (inout TokenClaims) -> Void = { _ in }
    ) throws -> HTTPRequest {
        var claims = TokenClaims()
        claims.issuer = "authority"
        claims.audience = ["api.example.com"]
        claims.expiration = time.source.secondsSince1970 + 600
        claims["did"] = "device-1"
        claims["ipk"] = .string(Base64.standard.encode(installation.publicKey.spkiDER))
        claims["mskid"] = "a1"
        change(&claims)
        var request = try HTTPRequest(method: .post, url: "https://api.example.com/pay?to=1", body: body)
        try request.fields.set(TokenSigner(key: authority).sign(claims), for: "Protection-Token")
        try request.fields.set("Bearer user", for: .authorization)
        if let bytes = body?.bytes {
            try request.fields.set(DigestField(of: bytes).serialized, for: .contentDigest)
        }
        return request
    }

    func sign(
        _ request: HTTPRequest,
        _ signer: MessageSignaturePolicy.Signer = .installation,
        key: PrivateKey? = nil,
        _ change: (inout MessageSigner) -> Void = { _ in }
    ) throws -> HTTPRequest {
        var components: [ComponentIdentifier] = [
            .method, .targetURI, .field("Protection-Token"), .field(.authorization),
        ]
        if request.fields.contains(.contentDigest) { components.append(.contentDigest) }
        var messageSigner = MessageSigner(
            key: try signer == .installation
                ? MessageSigningKey(key ?? installation, algorithm: .ecdsaP256SHA256)
                : MessageSigningKey(HMACKey(secret, .sha256)),
            label: signer.rawValue,
            components: components,
            now: { [time] in time.source.secondsSince1970 }
        )
        messageSigner.lifetime = 15
        messageSigner.makeNonce = { try MessageSigner.randomNonce() }
        change(&messageSigner)
        return try messageSigner.sign(request)
    }

    func verifier(
        _ required: Set<MessageSignaturePolicy.Signer> = [.installation],
        _ change: (inout MessageSignaturePolicy) -> Void = { _ in }
    ) throws -> RequestVerifier {
        var signatures = MessageSignaturePolicy(required: required)
        signatures.accountKey = { [secret] in $0 == "a1" ? try HMACKey(secret, .sha256) : nil }
        change(&signatures)
        return try RequestVerifier(
            keys: JSONWebKeySet([authority]),
            policy: .init(issuer: "authority", audience: "api.example.com", messageSignatures: signatures),
            time: time.source
        )
    }

    func refuse(
        _ request: HTTPRequest,
        _ code: VerificationError.Code,
        status: HTTPStatus = .unauthorized,
        by verifier: RequestVerifier? = nil,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let verifier = try verifier ?? self.verifier()
        let error = try #require(throws: VerificationError.self, sourceLocation: location) {
            try verifier.verify(request)
        }
        #expect(error.code == code, "\(error)", sourceLocation: location)
        #expect(error.status == status, sourceLocation: location)
    }

    @Test func aSignedRequestIsProof() throws {
        let verified = try verifier().verify(sign(request()))
        #expect(verified.signatures.map(\.label) == ["install"])
        #expect(verified.isContentVerified && verified.claims["did"] == "device-1")
        #expect(try !verifier().verify(sign(request(body: nil))).isContentVerified)
    }

    @Test func bothKeysAreVerified() throws {
        let both = try sign(sign(request()), .account)
        let verified = try verifier([.installation, .account]).verify(both)
        #expect(verified.signatures.map(\.label) == ["install", "account"])
        #expect(verified.signatures.map(\.algorithm) == [.ecdsaP256SHA256, .hmacSHA256])
        // One that is there is verified, required or not.
        let wrong = try sign(sign(request()), .account) { $0.components = [.method] }
        try refuse(wrong, .insufficientSignature, by: verifier())
    }

    @Test func whatIsRequiredMustBeThere() throws {
        try refuse(request(), .missingSignature)
        try refuse(sign(request(), .account), .missingSignature)
        try refuse(sign(request()) { $0.label = "other" }, .missingSignature)
        #expect(try verifier([]).verify(request()).signatures.isEmpty)
        #expect(try verifier([]).verify(sign(request())).signatures.count == 1)
    }

    @Test func withoutAPolicyNothingIsLookedAt() throws {
        let verifier = try RequestVerifier(
            keys: JSONWebKeySet([authority]),
            policy: .init(issuer: "authority", audience: "api.example.com"),
            time: time.source
        )
        var request = try request()
        try request.fields.set("rubbish", for: "Signature")
        #expect(try verifier.verify(request).signatures.isEmpty)
    }

    @Test func tamperingIsRefused() throws {
        let signed = try sign(request())
        var changed = signed
        changed.method = .put
        try refuse(changed, .invalidSignature)
        changed = signed
        changed.target = try RequestTarget("https://api.example.com/pay?to=2")
        try refuse(changed, .invalidSignature)
        changed = signed
        try changed.fields.set("Bearer mallory", for: .authorization)
        try refuse(changed, .invalidSignature)
        changed = signed
        changed.body = HTTPBody("{\"x\":2}")
        try refuse(changed, .contentMismatch)
        changed = signed
        changed.body = nil
        try refuse(changed, .contentMismatch)
        changed = signed
        changed.fields.removeAll(.authorization)
        try refuse(changed, .malformedSignature, status: .badRequest)
        // A body that no digest covers is somebody else's.
        changed = try sign(request(body: nil))
        changed.body = HTTPBody("{}")
        try refuse(changed, .insufficientSignature)
    }

    @Test func theTokenOfAnotherInstallationNamesAnotherKey() throws {
        let other = try PrivateKey.generate(.p256)
        try refuse(sign(request(), key: other), .invalidSignature)
        let noKey = try sign(request { $0["ipk"] = nil })
        try refuse(noKey, .unknownSigningKey)
        let rubbish = try sign(request { $0["ipk"] = "AAAA" })
        try refuse(rubbish, .unknownSigningKey)
        let account = try sign(request { $0["mskid"] = "a2" }, .account)
        try refuse(account, .unknownSigningKey, by: verifier([.account]))
        let unnamed = try sign(request { $0["mskid"] = nil }, .account)
        try refuse(unnamed, .unknownSigningKey, by: verifier([.account]))
    }

    /// A client signs with both keys; this backend knows nothing of account keys, and asks for none.
    @Test func aSignatureThatNobodyAskedForAndNobodyCanCheckIsPassedOver() throws {
        let both = try sign(sign(request()), .account)
        let verified = try verifier([.installation]) { $0.accountKey = nil }.verify(both)
        #expect(verified.signatures.map(\.label) == ["install"])
        try refuse(both, .unknownSigningKey, by: verifier([.installation, .account]) { $0.accountKey = nil })
        // Where keys are known it is checked, asked for or not.
        let wrong = try sign(sign(request()), .account) { $0.components = [.method] }
        try refuse(wrong, .insufficientSignature, by: verifier([.installation]))
    }

    @Test func timesAreLimits() throws {
        let signed = try sign(request())
        time.advance(by: .seconds(20))
        _ = try verifier().verify(signed)
        time.advance(by: .seconds(1))
        try refuse(signed, .staleSignature)
        let endless = try sign(request()) { $0.lifetime = nil }
        time.advance(by: .seconds(65))
        _ = try verifier().verify(endless)
        time.advance(by: .seconds(1))
        try refuse(endless, .staleSignature)
        let early = try sign(request())
        time.advance(by: .seconds(-6))
        try refuse(early, .staleSignature)
        let ageless = try sign(request()) { $0.statesCreated = false }
        try refuse(ageless, .insufficientSignature)
    }

    @Test func aLookupThatFailsIsNoVerdict() throws {
        let nonces = try verifier { $0.isNonceNew = { _ in throw Outage() } }
        try refuse(sign(request()), .unavailable, status: .serviceUnavailable, by: nonces)
        let keys = try verifier([.account]) { $0.accountKey = { _ in throw Outage() } }
        try refuse(sign(request(), .account), .unavailable, status: .serviceUnavailable, by: keys)
        let none = try verifier([.account]) { $0.accountKey = nil }
        try refuse(sign(request(), .account), .unknownSigningKey, by: none)
    }

    @Test func stringsAreTakenOnRequestOnly() throws {
        var signed = try sign(request())
        let value = try #require(signed.fields["Signature"])
        try signed.fields.set(
            "install=\"" + value.dropFirst("install=:".count).dropLast() + "\"",
            for: "Signature"
        )
        try refuse(signed, .malformedSignature, status: .badRequest)
        #expect(try verifier { $0.acceptsStringSignatures = true }.verify(signed).isContentVerified)
        try signed.fields.set("install=\"not base 64\"", for: "Signature")
        try refuse(
            signed,
            .malformedSignature,
            status: .badRequest,
            by: verifier { $0.acceptsStringSignatures = true }
        )
    }

    @Test func behindAProxyTheOriginIsTheClients() throws {
        let signed = try sign(request())
        var received = signed
        received.target = try RequestTarget("http://10.0.0.1:8080/pay?to=1")
        try refuse(received, .invalidSignature)
        let origin = try ExternalOrigin("https://api.example.com")
        #expect(try verifier { $0.externalOrigin = origin }.verify(received).isContentVerified)
    }

    @Test func aDigestThatDoesNotCountIsNone() throws {
        var request = try request()
        try request.fields.set("md5=:AAAAAAAAAAAAAAAAAAAAAA==:", for: .contentDigest)
        let signed = try sign(request) { $0.checksContentDigest = false }
        try refuse(signed, .contentMismatch)
    }
}
