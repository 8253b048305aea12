import Cryptography
import Encodings
import HTTPMessages
import JSONWebTokens
import ProtectionTesting
import RequestVerification
import Testing
import Timing

@Suite("Request verifier") struct RequestVerifierTests {
    private let time = ManualTime()
    private let signer: TokenSigner
    private let custom: TokenSigner
    private let keys: JSONWebKeySet

    init() throws {
        let key = try JSONWebKey(PrivateKey.generate(.p256), keyID: "k1")
        signer = try TokenSigner(key: key)
        custom = try TokenSigner(key: key, type: "custom+jwt")
        keys = try JSONWebKeySet([JSONWebKey(#require(key.publicKey), keyID: "k1")])
    }

    private func verifier(
        _ change: (inout RequestVerifier.Policy) -> Void = { _ in }
    ) throws -> RequestVerifier {
        var policy = RequestVerifier.Policy(issuer: "authority", audience: "api.example.com")
        change(&policy)
        return try RequestVerifier(keys: keys, policy: policy, time: time.source)
    }

    private func claims(_ change: (inout TokenClaims) -> Void = { _ in }) -> TokenClaims {
        var claims = TokenClaims()
        claims.issuer = "authority"
        claims.audience = ["api.example.com"]
        claims.issuedAt = time.source.secondsSince1970
        claims.expiration = time.source.secondsSince1970 + 300
        change(&claims)
        return claims
    }

    private func request(_ token: String?, authorization: String? = nil) throws -> HTTPRequest {
        var request = try HTTPRequest(url: "https://api.example.com/")
        if let token { try request.fields.set(token, for: "Protection-Token") }
        if let authorization { try request.fields.set(authorization, for: .authorization) }
        return request
    }

    private func pay(_ text: String) throws -> JSONValue {
        .string(Base64.standard.encode(try HashAlgorithm.sha256.hash(Array(text.utf8))))
    }

    private func expect(
        _ code: VerificationError.Code,
        _ request: HTTPRequest,
        _ verifier: RequestVerifier,
        status: HTTPStatus
    ) throws {
        let error = try #require(throws: VerificationError.self) { try verifier.verify(request) }
        #expect(error.code == code)
        #expect(error.status == status)
    }

    @Test func aGoodTokenIsProof() throws {
        let token = try verifier().verify(request(signer.sign(claims { $0["did"] = "device" })))
        #expect(token.claims["did"] == "device")
    }

    @Test func whatIsNoTokenIsTold() throws {
        let verifier = try verifier()
        try expect(.missingToken, request(nil), verifier, status: .unauthorized)
        try expect(.missingToken, request(""), verifier, status: .unauthorized)
        try expect(.malformedToken, request("a.b.c"), verifier, status: .badRequest)
        try expect(.malformedToken, request("Bearer x"), verifier, status: .badRequest)
        try expect(
            .malformedToken,
            request(String(repeating: "a", count: 20_000)),
            verifier,
            status: .badRequest
        )
        var twice = try request(signer.sign(claims()))
        try twice.fields.append(signer.sign(claims()), for: "Protection-Token")
        try expect(.severalTokens, twice, verifier, status: .badRequest)
    }

    @Test func aStatusIsTold() throws {
        let error = try #require(throws: VerificationError.self) {
            try verifier().verify(request("NO_ATTESTATION_SERVICE"))
        }
        #expect(error.code == .statusInsteadOfToken && error.status == .unauthorized)
        #expect(error.message.contains("NO_ATTESTATION_SERVICE"))
    }

    @Test func aTokenMustBeTheAuthorityS() throws {
        let verifier = try verifier()
        let forged = try TokenSigner(key: JSONWebKey(PrivateKey.generate(.p256), keyID: "k1")).sign(claims())
        try expect(.untrustedToken, request(forged), verifier, status: .unauthorized)
        let stranger = try TokenSigner(key: JSONWebKey(PrivateKey.generate(.p256), keyID: "k2")).sign(
            claims()
        )
        try expect(.untrustedToken, request(stranger), verifier, status: .unauthorized)
        let confused = try TokenSigner(
            key: JSONWebKey(
                SecretBytes(#require(keys["k1"]?.publicKey).spkiDER),
                algorithm: .hs256,
                keyID: "k1"
            )
        ).sign(claims())
        try expect(.untrustedToken, request(confused), verifier, status: .unauthorized)
    }

    @Test func aTokenMustBeForThisHostAndOfThisKind() throws {
        let verifier = try verifier()
        try expect(
            .unsuitableToken,
            request(signer.sign(claims { $0.audience = ["other.example.com"] })),
            verifier,
            status: .unauthorized
        )
        try expect(
            .unsuitableToken,
            request(signer.sign(claims { $0.issuer = "stranger" })),
            verifier,
            status: .unauthorized
        )
        try expect(.unsuitableToken, request(custom.sign(claims())), verifier, status: .unauthorized)
        try expect(
            .unsuitableToken,
            request(signer.sign(claims { $0.expiration = nil })),
            verifier,
            status: .unauthorized
        )
    }

    @Test func aTokenHasItsTime() throws {
        let token = try signer.sign(claims())
        time.advance(by: .seconds(299))
        _ = try verifier().verify(request(token))
        time.advance(by: .seconds(1))
        try expect(.expiredToken, request(token), verifier(), status: .unauthorized)
        _ = try verifier { $0.leeway = .seconds(5) }.verify(request(token))
        let early = try signer.sign(claims { $0.notBefore = time.source.secondsSince1970 + 10 })
        try expect(.prematureToken, request(early), verifier(), status: .unauthorized)
    }

    @Test func aPrefixIsPartOfTheForm() throws {
        let verifier = try verifier {
            $0.tokenHeader = .authorization
            $0.tokenPrefix = "Bearer "
        }
        let token = try signer.sign(claims())
        _ = try verifier.verify(request(nil, authorization: "Bearer " + token))
        try expect(.missingPrefix, request(nil, authorization: token), verifier, status: .badRequest)
    }

    @Test func theBindingHoldsBothWays() throws {
        let verifier = try verifier { $0.bindingHeaders = [.authorization] }
        let bound = try signer.sign(claims { $0["pay"] = try? pay("Bearer alice") })
        let unbound = try signer.sign(claims())
        _ = try verifier.verify(request(bound, authorization: "Bearer alice"))
        _ = try verifier.verify(request(unbound))
        try expect(
            .bindingMismatch,
            request(bound, authorization: "Bearer mallory"),
            verifier,
            status: .unauthorized
        )
        try expect(
            .bindingMismatch,
            request(unbound, authorization: "Bearer alice"),
            verifier,
            status: .unauthorized
        )
        try expect(.missingBinding, request(bound), verifier, status: .badRequest)
        let number = try signer.sign(claims { $0["pay"] = 1 })
        try expect(
            .bindingMismatch,
            request(number, authorization: "Bearer alice"),
            verifier,
            status: .unauthorized
        )
    }

    @Test func aBindingThatNobodyChecksIsRefused() throws {
        let bound = try signer.sign(claims { $0["pay"] = try? pay("Bearer alice") })
        let request = try request(bound, authorization: "Bearer mallory")
        try expect(.bindingMismatch, request, verifier(), status: .unauthorized)
        let number = try self.request(signer.sign(claims { $0["pay"] = 1 }))
        try expect(.bindingMismatch, number, verifier(), status: .unauthorized)
        let token = try verifier { $0.ignoresBinding = true }.verify(request)
        #expect(try token.claims["pay"] == pay("Bearer alice"))
        // It says nothing about fields that are known.
        let strict = try verifier {
            $0.bindingHeaders = [.authorization]
            $0.ignoresBinding = true
        }
        try expect(.bindingMismatch, request, strict, status: .unauthorized)
    }

    /// The published values of the peer, for the same inputs.
    @Test(arguments: [
        (["Bearer myauth_token", "my-device-id"], "71tnS3rSq2lanEWrKz4MoexiOMtv7w0fspfM8BAQKNU="),
        (["ExampleAuthToken=="], "KNp99taRgRJmY49DW4RmGUiJRAg4cnysnUeDMcc3wTU="),
        (["ExampleAuthToken==", "Session-123"], "NhfWf5obNkXa4IPieKJdduq1vFmuxtZuVhXgaC2r2E8="),
    ])
    func publishedBindings(values: [String], claim: String) throws {
        let names: [HTTPField.Name] = ["Authorization", "X-Second"]
        let verifier = try verifier { $0.bindingHeaders = names }
        var request = try request(signer.sign(claims { $0["pay"] = .string(claim) }))
        for (name, value) in zip(names, values) { try request.fields.set(value, for: name) }
        _ = try verifier.verify(request)
    }

    @Test func noErrorShowsAToken() throws {
        let token = try signer.sign(claims { $0["pay"] = try? pay("x") })
        let verifier = try verifier { $0.bindingHeaders = [.authorization] }
        let error = try #require(throws: VerificationError.self) {
            try verifier.verify(request(token, authorization: "SECRET"))
        }
        #expect(!"\(error)".contains("SECRET") && !"\(error)".contains("eyJ"))
    }
}
