import Cryptography
import Encodings
import JSONWebTokens
import Testing

@Suite struct VerifierTests {
    static let now: Int64 = 1_800_000_000

    static func claims(_ change: (inout TokenClaims) -> Void = { _ in }) -> TokenClaims {
        var claims = TokenClaims()
        claims.expiration = now + 60
        change(&claims)
        return claims
    }

    private func refusal(
        _ change: (inout TokenClaims) -> Void,
        _ configure: (inout TokenVerifier) -> Void = { _ in }
    ) throws -> TokenError.Code? {
        let key = try TestKeys.key(.hs256)
        let token = try TokenSigner(key: key).sign(Self.claims(change))
        var verifier = try TokenVerifier(key: key)
        configure(&verifier)
        return code { try verifier.verify(token, at: Self.now) }
    }

    @Test(arguments: TestKeys.all)
    func roundTrip(_ key: JSONWebKey) throws {
        let claims = Self.claims {
            $0.issuer = "https://issuer.example"
            $0.subject = "subject"
            $0.audience = ["a", "b"]
            $0.issuedAt = Self.now
            $0.notBefore = Self.now
            $0.tokenID = "1"
            $0["other"] = ["x", 1, true]
        }
        let token = try TokenSigner(key: key).sign(claims)
        let verifier = try TokenVerifier(key: key, issuer: "https://issuer.example", audience: "b")
        let verified = try verifier.verify(token, at: Self.now)
        #expect(verified.claims == claims)
        #expect(verified.header.algorithm == key.algorithm.rawValue)
        #expect(verified.header.keyID == key.keyID)
        #expect(verified.header.type == "JWT")
        #expect(verified.compactText == token)
        #expect("\(verified)" == "VerifiedToken(exp: \(Self.now + 60))")
        #expect(Array(Mirror(reflecting: verified).children).isEmpty)
        // Any change to the last octet of the payload or to the signature.
        let parts = token.split(separator: ".").map(String.init)
        let payload = Base64.url.encode(Array(claims.members.serialized().dropLast()) + [UInt8(ascii: " ")])
        #expect(
            code { try verifier.verify("\(parts[0]).\(payload).\(parts[2])", at: Self.now) }
                == .invalidSignature
        )
        #expect(code { try verifier.verify("\(parts[0]).\(parts[1]).", at: Self.now) } == .invalidSignature)
    }

    @Test(
        arguments: [
            (-1, 0, .expired), (0, 0, .expired), (1, 0, nil), (-5, 5, .expired), (-4, 5, nil),
        ] as [(Int64, Int64, TokenError.Code?)]
    )
    func expiration(_ after: Int64, _ leeway: Int64, _ expected: TokenError.Code?) throws {
        #expect(try refusal({ $0.expiration = Self.now + after }, { $0.leeway = leeway }) == expected)
    }

    @Test(
        arguments: [
            (0, 0, true), (1, 0, false), (5, 5, true), (6, 5, false), (-100, 0, true),
        ] as [(Int64, Int64, Bool)]
    )
    func notBeforeAndIssuedAt(_ after: Int64, _ leeway: Int64, _ isTaken: Bool) throws {
        let early = try refusal({ $0.notBefore = Self.now + after }, { $0.leeway = leeway })
        #expect(early == (isTaken ? nil : .notYetValid))
        let future = try refusal({ $0.issuedAt = Self.now + after }, { $0.leeway = leeway })
        #expect(future == (isTaken ? nil : .issuedInTheFuture))
    }

    @Test func fractionsAndExponents() throws {
        let key = try TestKeys.key(.hs256)
        let verifier = try TokenVerifier(key: key)
        for (text, isTaken) in [
            ("1800000000.5", true), ("1800000000.0", false), ("1799999999.9", false), ("18e8", false),
            ("1.8000001e9", true),
        ] {
            let token = try forge(#"{"alg":"HS256"}"#, #"{"exp":\#(text)}"#, key)
            #expect(
                code { try verifier.verify(token, at: Self.now) } == (isTaken ? nil : .expired),
                "\(text)"
            )
        }
    }

    /// A clock of whole seconds has not come to the fraction in which the token was made.
    @Test(
        arguments: ["iat", "nbf"],
        [("1800000000.9", true), ("1800000001.0", false), ("1800000001", false)]
    )
    func fractionsOfTheSecondThatHasBegun(claim: String, time: (text: String, isTaken: Bool)) throws {
        let key = try TestKeys.key(.hs256)
        let token = try forge(#"{"alg":"HS256"}"#, #"{"exp":1800000100,"\#(claim)":\#(time.text)}"#, key)
        let early: TokenError.Code = claim == "iat" ? .issuedInTheFuture : .notYetValid
        let found = code { try TokenVerifier(key: key).verify(token, at: Self.now) }
        #expect(found == (time.isTaken ? nil : early))
    }

    @Test func clocksAtTheEndOfTheirRange() throws {
        let key = try TestKeys.key(.hs256)
        var verifier = try TokenVerifier(key: key)
        let token = try TokenSigner(key: key).sign(Self.claims { $0.notBefore = 0 })
        for leeway in [Int64.max, .min, 0] {
            verifier.leeway = leeway
            for now in [Int64.max, .min] { _ = code { try verifier.verify(token, at: now) } }
        }
        verifier.leeway = 0
        #expect(code { try verifier.verify(token, at: .max) } == .expired)
        #expect(code { try verifier.verify(token, at: .min) } == .notYetValid)
    }

    @Test func missingClaims() throws {
        #expect(try refusal({ $0.expiration = nil }) == .missingClaim)
        #expect(try refusal({ $0.expiration = nil }, { $0.requiresExpiration = false }) == nil)
        #expect(try refusal({ _ in }, { $0.issuer = "a" }) == .missingClaim)
        #expect(try refusal({ _ in }, { $0.audience = "a" }) == .missingClaim)
    }

    @Test func issuers() throws {
        #expect(try refusal({ $0.issuer = "a" }, { $0.issuer = "a" }) == nil)
        #expect(try refusal({ $0.issuer = "a" }) == nil)
        #expect(try refusal({ $0.issuer = "b" }, { $0.issuer = "a" }) == .wrongIssuer)
        // One piece or two: the same to the eye and to String's ==, not to RFC 7519.
        #expect(try refusal({ $0.issuer = "e\u{301}" }, { $0.issuer = "\u{E9}" }) == .wrongIssuer)
    }

    @Test func audiences() throws {
        #expect(try refusal({ $0.audience = ["a"] }, { $0.audience = "a" }) == nil)
        #expect(try refusal({ $0.audience = ["b", "a"] }, { $0.audience = "a" }) == nil)
        #expect(try refusal({ $0.audience = ["b"] }, { $0.audience = "a" }) == .wrongAudience)
        #expect(try refusal({ $0.audience = [] }, { $0.audience = "a" }) == .wrongAudience)
        #expect(try refusal({ $0.audience = ["b"] }) == .wrongAudience)
    }

    @Test func types() throws {
        let key = try TestKeys.key(.es256)
        var verifier = try TokenVerifier(key: key)
        verifier.acceptedTypes = ["at+jwt"]
        for (type, isTaken) in [
            ("at+jwt", true), ("AT+JWT", true), ("application/at+jwt", true), ("JWT", false),
            ("a/at+jwt", false), (nil, false),
        ] as [(String?, Bool)] {
            let token = try TokenSigner(key: key, type: type).sign(Self.claims())
            #expect(code { try verifier.verify(token, at: Self.now) } == (isTaken ? nil : .wrongType))
        }
    }

    @Test(arguments: [
        #"{"iss":1}"#, #"{"sub":null}"#, #"{"jti":[]}"#, #"{"aud":1}"#, #"{"aud":["a",1]}"#, #"{"exp":"1"}"#,
        #"{"exp":-1}"#, #"{"exp":1e400}"#, #"{"nbf":253402300800}"#, #"{"iat":9223372036854775808}"#, "[]",
        "1", "", "{",
    ])
    func claimsOfTheWrongForm(_ payload: String) throws {
        let key = try TestKeys.key(.hs256)
        let token = try forge(#"{"alg":"HS256"}"#, payload, key)
        #expect(code { try TokenVerifier(key: key).verify(token, at: Self.now) } == .invalidClaims)
        #expect(code { try UnverifiedToken(parsing: token) } == .invalidClaims)
    }

    @Test func signerRefusesWrongClaims() throws {
        let signer = try TokenSigner(key: TestKeys.key(.hs256))
        #expect(code { try signer.sign(Self.claims { $0["exp"] = "soon" }) } == .invalidClaims)
        #expect(code { try signer.sign(Self.claims { $0.expiration = -1 }) } == .invalidClaims)
    }

    /// The public key, in each form that it is published in, taken as the secret of an HMAC.
    @Test(arguments: [TokenAlgorithm.rs256, .es256])
    func keyConfusion(_ algorithm: TokenAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        let publicKey = try #require(key.publicKey)
        for form in [Array(publicKey.pem.utf8), publicKey.spkiDER, try key.publicObject().serialized()] {
            let attacker = try JSONWebKey(SecretBytes(form), algorithm: .hs256, keyID: key.keyID)
            let token = try TokenSigner(key: attacker).sign(Self.claims())
            #expect(code { try TokenVerifier(key: key).verify(token, at: Self.now) } == .algorithmMismatch)
        }
    }

    @Test func headerMustAgreeWithTheKey() throws {
        let verifier = try TokenVerifier(key: TestKeys.key(.rs256))
        let token = try TokenSigner(
            key: JSONWebKey(try TestKeys.key(.rs256).privateObject().with("alg", "PS256"))
        ).sign(Self.claims())
        #expect(code { try verifier.verify(token, at: Self.now) } == .algorithmMismatch)
        for name in ["none", "None", "ES512", ""] {
            let forged = try forge(#"{"alg":"\#(name)"}"#, "{}", TestKeys.key(.es256))
            #expect(code { try verifier.verify(forged, at: Self.now) } == .unsupportedAlgorithm)
        }
    }

    /// RFC 9864's name for the algorithm of an Ed25519 key.
    @Test func ed25519ByItsOtherName() throws {
        let key = try PrivateKey.generate(.ed25519)
        let signed =
            Base64.url.encode(#"{"alg":"Ed25519"}"#.utf8) + "."
            + Base64.url.encode(#"{"exp":1800000001}"#.utf8)
        let signature = try key.sign(Array(signed.utf8), using: .ed25519)
        let verifier = try TokenVerifier(key: JSONWebKey(key.publicKey))
        let verified = try verifier.verify("\(signed).\(Base64.url.encode(signature))", at: Self.now)
        #expect(verified.header.algorithm == "Ed25519")
    }

    /// A header that was seen before is remembered; another must still be read, whatever came before it.
    @Test func oneHeaderAfterAnother() throws {
        let key = try TestKeys.key(.hs256)
        let verifier = try TokenVerifier(key: key)
        let good = try TokenSigner(key: key).sign(Self.claims())
        let parts = good.split(separator: ".").map(String.init)
        for _ in 0..<3 {
            #expect(try verifier.verify(good, at: Self.now).header.keyID == "HS256")
            #expect(
                try verifier.verify(forge(#"{"alg":"HS256"}"#, #"{"exp":1800000001}"#, key), at: Self.now)
                    .header.keyID == nil
            )
            #expect(
                code { try verifier.verify(forge(#"{"alg":"none"}"#, "{}", key), at: Self.now) }
                    == .unsupportedAlgorithm
            )
            #expect(
                code { try verifier.verify("\(parts[0]).\(parts[1]).AAAA", at: Self.now) }
                    == .invalidSignature
            )
        }
    }

    @Test func keysByName() throws {
        let first = try JSONWebKey(SecretBytes.random(count: 32), algorithm: .hs256, keyID: "1")
        let second = try JSONWebKey(SecretBytes.random(count: 32), algorithm: .hs256, keyID: "2")
        let nameless = try JSONWebKey(TestKeys.secret, algorithm: .hs256)
        let named = try JSONWebKey(TestKeys.secret, algorithm: .hs256, keyID: "3")
        let both = try TokenVerifier(keys: JSONWebKeySet([first, second]))
        let plain = try TokenSigner(key: nameless).sign(Self.claims())
        _ = try both.verify(TokenSigner(key: second).sign(Self.claims()), at: Self.now)
        #expect(code { try both.verify(plain, at: Self.now) } == .ambiguousKey)
        #expect(
            code { try both.verify(TokenSigner(key: named).sign(Self.claims()), at: Self.now) } == .unknownKey
        )
        #expect(
            code { try TokenVerifier(keys: JSONWebKeySet([])).verify(plain, at: Self.now) } == .unknownKey
        )
        // One key: a token without kid is for it; a key without kid takes any; with kid it does not take another.
        _ = try TokenVerifier(key: named).verify(plain, at: Self.now)
        _ = try TokenVerifier(key: nameless).verify(TokenSigner(key: named).sign(Self.claims()), at: Self.now)
        #expect(
            code {
                try TokenVerifier(key: first).verify(
                    TokenSigner(key: named).sign(Self.claims()),
                    at: Self.now
                )
            }
                == .unknownKey
        )
    }
}

extension JSONObject {
    func with(_ name: String, _ value: JSONValue?) -> JSONObject {
        var copy = self
        copy[name] = value
        return copy
    }
}
