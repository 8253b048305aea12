import Cryptography
import Encodings
import HTTPMessages
import JSONWebTokens
import Protection
import Testing

@Suite("Configuration string") struct ConfigurationTests {
    @Test func pinsKeepTheirEndAndTheirMode() throws {
        let pin = try PublicKeyPin(sha256: [UInt8](repeating: 9, count: 32))
        var policy = PinningPolicy(others: PinSet([pin], mode: .reportOnly))
        policy[try HostPattern("*.example.com")] = PinSet([pin], expiresAt: 4_000_000_000)
        policy[try HostPattern("a.example.com")] = PinSet([])
        let base = try TestConfiguration.make()
        let configuration = try ProtectionConfiguration(
            authority: base.authority,
            account: base.account,
            protectedHosts: base.protectedHosts,
            pins: policy,
            authorityKey: base.authorityKey
        )
        #expect(try ProtectionConfiguration(parsing: configuration.encoded()).pins == policy)
    }

    @Test func roundTrip() throws {
        let configuration = try TestConfiguration.make(hosts: ["api.example.com", "*.example.org"])
        let line = try configuration.encoded()
        #expect(line.allSatisfy { $0.isASCII && !$0.isWhitespace })
        let read = try ProtectionConfiguration(parsing: line)
        #expect(read.authority == configuration.authority)
        #expect(read.account == configuration.account)
        #expect(read.protectedHosts == configuration.protectedHosts)
        #expect(read.pins == configuration.pins)
        #expect(read.authorityKey.publicKey == configuration.authorityKey.publicKey)
        #expect(read.authorityKey.keyID == "k1")
        #expect(try read.encoded() == line)
        #expect(read.protects("a.example.org") && !read.protects("example.org"))
    }

    @Test func everyCutIsToldFromAChange() throws {
        let line = try TestConfiguration.make().encoded()
        for length in 1..<line.count {
            let error = try #require(throws: ConfigurationError.self) {
                try ProtectionConfiguration(parsing: String(line.prefix(length)))
            }
            #expect(error.code == .truncated)
            #expect(error.offset == length)
        }
    }

    @Test func everyChangedCharacterIsFound() throws {
        let line = Array(try TestConfiguration.make().encoded().utf8)
        let codes: Set<ConfigurationError.Code> = [
            .notAConfiguration, .unknownVersion, .invalidCharacter, .checksumMismatch, .truncated,
        ]
        for index in line.indices {
            var changed = line
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let error = try #require(throws: ConfigurationError.self) {
                try ProtectionConfiguration(parsing: String(decoding: changed, as: UTF8.self))
            }
            #expect(codes.contains(error.code))
        }
    }

    @Test func faultsHaveTheirOwnCodes() throws {
        let line = try TestConfiguration.make().encoded()
        let parts = line.split(separator: ":").map(String.init)
        func code(_ text: String) throws -> ConfigurationError.Code {
            try #require(throws: ConfigurationError.self) { try ProtectionConfiguration(parsing: text) }.code
        }
        #expect(try code("") == .notAConfiguration)
        #expect(try code("#" + line) == .notAConfiguration)
        #expect(try code("protection:2:" + parts[2...].joined(separator: ":")) == .unknownVersion)
        #expect(try code(line + "0") == .invalidCharacter)
        #expect(try code(line + "\n") == .invalidCharacter)
        for length in ["x", "+" + parts[2], "0" + parts[2]] {
            #expect(try code("protection:1:\(length):" + parts[3] + ":" + parts[4]) == .invalidCharacter)
        }
        #expect(try code(line.replacing(parts[3], with: "*" + parts[3].dropFirst())) == .invalidCharacter)
        let changed = parts[3].hasPrefix("e") ? "f" : "e"
        #expect(try code(line.replacing(parts[3], with: changed + parts[3].dropFirst())) == .checksumMismatch)
    }

    /// A line with a right checksum over a payload of the test's own.
    private static func line(_ payload: JSONValue) throws -> String {
        let text = Base64.url.encode(payload.serialized())
        let head = "protection:1:\(text.utf8.count):\(text)"
        return head + ":" + Hex.encode(try HashAlgorithm.sha256.hash(Array(head.utf8)).prefix(8))
    }

    private static func payload() throws -> JSONObject {
        let line = try TestConfiguration.make().encoded()
        let text = line.split(separator: ":")[3]
        return try #require(JSONValue(parsing: Base64.url.decode(text)).object)
    }

    @Test(arguments: ["authority", "account", "hosts", "pins", "key"]) func aMissingFieldIsNamed(
        field: String
    ) throws {
        var payload = try Self.payload()
        payload[field] = nil
        let line = try Self.line(.object(payload))
        let error = try #require(throws: ConfigurationError.self) {
            try ProtectionConfiguration(parsing: line)
        }
        #expect(error.code == .missingField)
        #expect(error.message.contains(field))
    }

    @Test(
        arguments: [
            ("authority", "ftp://x"), ("authority", 1), ("account", ""), ("account", "a b"), ("account", 1),
            ("hosts", []),
            ("hosts", ["a b"]), ("hosts", [1]), ("hosts", "example.com"), ("pins", []),
            ("pins", ["h": ["AA=="]]),
            ("pins", ["h": ["expires": 1]]), ("pins", ["h": ["pins": [], "expires": "x"]]),
            ("pins", ["h": ["pins": [], "reportOnly": 1]]), ("pins", ["h": ["pins": [], "other": 1]]),
            ("pins", ["h": ["*"]]), ("pins", ["a b": []]), ("pins", ["h": "x"]),
            ("pins", ["api.example.com": [], "API.example.com": []]), ("key", [:]), ("key", "k"),
            ("key", ["kty": "oct", "k": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "alg": "HS256"]),
        ] as [(String, JSONValue)]
    )
    func aWrongFieldIsNamed(field: String, value: JSONValue) throws {
        var payload = try Self.payload()
        payload[field] = value
        let line = try Self.line(.object(payload))
        let error = try #require(throws: ConfigurationError.self) {
            try ProtectionConfiguration(parsing: line)
        }
        #expect(error.code == .invalidField)
        #expect(error.message.contains(field))
    }

    @Test func aPayloadThatIsNoObjectIsRefused() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try ProtectionConfiguration(parsing: Self.line([1]))
        }
        #expect(error.code == .invalidField)
    }

    @Test func aPrivateKeyIsNeverWritten() throws {
        let key = try JSONWebKey(PrivateKey.generate(.p256))
        let configuration = try ProtectionConfiguration(
            authority: RequestTarget("https://a.example/"),
            account: "a",
            protectedHosts: [HostPattern("b.example")],
            authorityKey: key
        )
        let payload = try JSONValue(
            parsing: Base64.url.decode(configuration.encoded().split(separator: ":")[3])
        )
        #expect(payload.object?.object("key")["x"] != nil)
        #expect(payload.object?.object("key")["d"] == nil)
    }
}
