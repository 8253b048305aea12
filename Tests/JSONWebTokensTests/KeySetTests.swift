import Cryptography
import Encodings
import JSONWebTokens
import Testing

@Suite struct KeySetTests {
    private func text(_ entries: [JSONValue]) -> [UInt8] {
        var object = JSONObject()
        object["keys"] = .array(entries)
        return object.serialized()
    }

    @Test func roundTripAndLookUp() throws {
        let keys = TestKeys.all.filter { !$0.isSecret }
        let set = try JSONWebKeySet(keys)
        let copy = try JSONWebKeySet(parsing: set.publicObject().serialized())
        #expect(copy.keys.map(\.publicKey) == keys.map(\.publicKey))
        #expect(copy["ES256"]?.algorithm == .es256)
        #expect(copy["es256"] == nil)
    }

    @Test func entriesForSomethingElseAreSkipped() throws {
        let key = try TestKeys.key(.es256).publicObject()
        let changes: [(String, JSONValue)] = [
            ("kty", "AKP"), ("crv", "P-521"), ("alg", "ECDH-ES"), ("use", "enc"), ("key_ops", ["deriveKey"]),
        ]
        let others = changes.map { name, value in
            var other = key
            other[name] = value
            other["kid"] = .string(name)
            return JSONValue.object(other)
        }
        let set = try JSONWebKeySet(parsing: text(others + [.object(key)]))
        #expect(set.keys.map(\.keyID) == ["ES256"])
        #expect(
            code { try PayloadVerifier(keys: JSONWebKeySet(parsing: text(others))).verify("e30.e30.") }
                == .invalidHeader
        )
    }

    @Test func brokenEntriesAreNot() throws {
        var key = try TestKeys.key(.es256).publicObject()
        key["x"] = "AA"
        #expect(code { try JSONWebKeySet(parsing: text([.object(key)])) } == .invalidKey)
    }

    @Test func keysThatDoNotBelongTogether() throws {
        let ec = try TestKeys.key(.es256)
        #expect(code { try JSONWebKeySet([ec, ec]) } == .invalidKeySet)
        #expect(code { try JSONWebKeySet([ec, TestKeys.key(.hs256)]) } == .invalidKeySet)
        for fault in ["{}", #"{"keys":{}}"#, #"{"keys":[1]}"#] {
            #expect(code { try JSONWebKeySet(parsing: Array(fault.utf8)) } == .invalidKeySet)
        }
        #expect(code { try JSONWebKeySet([TestKeys.key(.hs256)]).publicObject() } == .wrongKeyUse)
    }

    @Test func choiceIsForKeysThatLeaveOne() throws {
        var rsa = try TestKeys.key(.rs256).publicObject()
        rsa["alg"] = nil
        var ec = try TestKeys.key(.es256).publicObject()
        ec["alg"] = nil
        let json = text([.object(rsa), .object(ec)])
        #expect(code { try JSONWebKeySet(parsing: json) } == .missingAlgorithm)
        #expect(
            try JSONWebKeySet(parsing: json, algorithm: .rs256).keys.map(\.algorithm) == [.rs256, .es256]
        )
    }
}
