import Cryptography
import Encodings
import JSONWebTokens
import Testing

@Suite struct KeyTests {
    @Test func everyAlgorithmHasAKey() { #expect(TestKeys.all.count == TokenAlgorithm.allCases.count) }

    @Test(arguments: TestKeys.all)
    func roundTrips(_ key: JSONWebKey) throws {
        let copy = try JSONWebKey(key.privateObject())
        #expect(copy.algorithm == key.algorithm && copy.keyID == key.keyID)
        #expect(try copy.privateObject() == key.privateObject())
        #expect(try JSONWebKey(parsing: key.privateObject().serialized()).publicKey == key.publicKey)
        let claims = TokenClaims()
        let text = try TokenSigner(key: copy).sign(claims)
        #expect(try PayloadVerifier(key: key).verify(text).payload == Array("{}".utf8))
        guard !key.isSecret else {
            #expect(code { try key.publicObject() } == .wrongKeyUse)
            #expect(code { try key.thumbprint() } == .wrongKeyUse)
            return
        }
        let object = try key.publicObject()
        #expect(object.members.allSatisfy { !["d", "p", "q", "dp", "dq", "qi", "k"].contains($0.name) })
        let open = try JSONWebKey(object)
        #expect(open.publicKey == key.publicKey)
        #expect(try open.thumbprint() == key.thumbprint())
        #expect(code { try open.privateObject() } == .wrongKeyUse)
        #expect(code { try TokenSigner(key: open) } == .wrongKeyUse)
        #expect(try PayloadVerifier(key: open).verify(text).payload == Array("{}".utf8))
    }

    @Test(arguments: TestKeys.all)
    func descriptionHidesTheKey(_ key: JSONWebKey) {
        #expect("\(key)" == "JSONWebKey(\(key.algorithm.rawValue), kid: \(key.algorithm.rawValue))")
        #expect(Array(Mirror(reflecting: key).children).isEmpty)
    }

    @Test func ed25519HasTwoNames() throws {
        #expect(TokenAlgorithm(name: "Ed25519") == .edDSA)
        #expect(TokenAlgorithm(name: "EdDSA") == .edDSA)
        for name in ["none", "None", "NONE", "", "hs256", "ES512", "ES256K", "RSA1_5"] {
            #expect(TokenAlgorithm(name: name) == nil)
        }
    }

    /// A P-256 key in its public form, with one member changed, added or removed.
    static let faults: [(String, JSONValue?, TokenError.Code)] = [
        ("kty", nil, .invalidKey), ("kty", 1, .invalidKey), ("kty", "AKP", .unsupportedKey),
        ("kty", "RSA", .invalidKey), ("kty", "OKP", .invalidKey), ("kty", "oct", .invalidKey),
        ("crv", nil, .invalidKey), ("crv", "P-521", .unsupportedKey), ("crv", "P-384", .invalidKey),
        ("crv", "Ed25519", .invalidKey), ("x", nil, .invalidKey), ("x", "AA", .invalidKey),
        ("x", "A=", .invalidKey), ("y", .string(String(repeating: "A", count: 43)), .invalidKey),
        ("d", "AA", .invalidKey), ("alg", "ES384", .algorithmMismatch), ("alg", "HS256", .algorithmMismatch),
        ("alg", "none", .unsupportedAlgorithm), ("alg", 5, .invalidKey), ("kid", 5, .invalidKey),
        ("use", "enc", .wrongKeyUse), ("use", "Sig", .wrongKeyUse), ("use", false, .invalidKey),
        ("key_ops", ["encrypt"], .wrongKeyUse), ("key_ops", ["sign"], .wrongKeyUse),
        ("key_ops", [], .invalidKey),
        ("key_ops", "verify", .invalidKey), ("key_ops", [1], .invalidKey),
        ("key_ops", ["verify", "verify"], .invalidKey),
    ]

    @Test(arguments: faults)
    func refused(_ name: String, _ value: JSONValue?, _ expected: TokenError.Code) throws {
        var object = try TestKeys.key(.es256).publicObject()
        object[name] = value
        #expect(code { try JSONWebKey(object) } == expected)
    }

    @Test func keyOperationsLimitTheKey() throws {
        var object = try TestKeys.key(.es256).privateObject()
        object["key_ops"] = ["sign"]
        let signing = try JSONWebKey(object)
        _ = try TokenSigner(key: signing)
        #expect(code { try PayloadVerifier(key: signing) } == .wrongKeyUse)
        object["key_ops"] = ["verify", "sign"]
        _ = try TokenVerifier(key: JSONWebKey(object))
        object["key_ops"] = ["verify"]
        #expect(code { try TokenSigner(key: JSONWebKey(object)) } == .wrongKeyUse)
    }

    @Test func privateHalvesThatDoNotFit() throws {
        for algorithm in [TokenAlgorithm.es256, .es384, .edDSA] {
            var object = try TestKeys.key(algorithm).privateObject()
            let types: [TokenAlgorithm: KeyType] = [.es256: .p256, .es384: .p384, .edDSA: .ed25519]
            let other = try JSONWebKey(PrivateKey.generate(try #require(types[algorithm])))
            object["d"] = try other.privateObject()["d"]
            #expect(code { try JSONWebKey(object) } == .invalidKey)
        }
        var rsa = try TestKeys.key(.rs256).privateObject()
        rsa["oth"] = []
        #expect(code { try JSONWebKey(rsa) } == .unsupportedKey)
        rsa["oth"] = nil
        rsa["p"] = nil
        #expect(code { try JSONWebKey(rsa) } == .invalidKey)
    }

    @Test func rsaNeedsAnAlgorithm() throws {
        var object = try TestKeys.key(.rs256).publicObject()
        object["alg"] = nil
        #expect(code { try JSONWebKey(object) } == .missingAlgorithm)
        #expect(try JSONWebKey(object, algorithm: .ps256).algorithm == .ps256)
        #expect(code { try JSONWebKey(object, algorithm: .es256) } == .algorithmMismatch)
        object["alg"] = "RS256"
        #expect(code { try JSONWebKey(object, algorithm: .ps256) } == .algorithmMismatch)
        object["n"] = .string("AA" + (object["n"]?.string ?? ""))
        #expect(code { try JSONWebKey(object) } == .invalidKey)
        #expect(
            code {
                try JSONWebKey(
                    JSONValue(dictionaryLiteral: ("kty", "oct"), ("k", "AAAA")).object ?? JSONObject()
                )
            } == .missingAlgorithm
        )
    }

    @Test(arguments: [(TokenAlgorithm.hs256, 32), (.hs384, 48), (.hs512, 64)])
    func secretsHaveALeastLength(_ algorithm: TokenAlgorithm, _ length: Int) throws {
        _ = try JSONWebKey(SecretBytes.random(count: length), algorithm: algorithm)
        #expect(
            code { try JSONWebKey(SecretBytes.random(count: length - 1), algorithm: algorithm) } == .weakKey
        )
        #expect(
            code { try JSONWebKey(SecretBytes.random(count: 64), algorithm: .rs256) } == .algorithmMismatch
        )
    }

    @Test func weakRSA() {
        var object = JSONObject()
        object["kty"] = "RSA"
        object["alg"] = "RS256"
        object["e"] = "AQAB"
        object["n"] = .string(Base64.url.encode(Array(repeating: UInt8(0xFF), count: 128)))
        #expect(code { try JSONWebKey(object) } == .weakKey)
    }

    @Test func textThatIsNoKey() {
        #expect(code { try JSONWebKey(parsing: Array("[]".utf8)) } == .invalidKey)
        #expect(code { try JSONWebKey(parsing: Array("{".utf8)) } == .invalidKey)
        #expect(code { try JSONWebKey(parsing: Array(#"{"kty":"EC","kty":"EC"}"#.utf8)) } == .duplicateMember)
    }
}
