import Encodings
import MessageSignatures
import Testing

@Suite("Digest fields") struct DigestTests {
    static let hello = Array(#"{"hello": "world"}"#.utf8)
    static let sha256 = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"
    static let sha512 =
        "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"

    private func field(_ text: String) throws -> DigestField { try DigestField(parsing: Array(text.utf8)) }

    @Test("The values of RFC 9530") func known() throws {
        #expect(try DigestField(of: Self.hello).serialized == Self.sha256)
        #expect(try DigestField(of: Self.hello, using: [.sha512]).serialized == Self.sha512)
        let both = try DigestField(of: Self.hello, using: [.sha256, .sha512])
        #expect(both.serialized == Self.sha256 + ", " + Self.sha512)
        #expect(try field(both.serialized) == both)
        try both.check(Self.hello, minimum: .sha512)
    }

    @Test("Empty content has a digest") func empty() throws {
        let digest = try DigestField(of: [], using: [.sha256, .sha512])
        #expect(
            digest.serialized == "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:, "
                + "sha-512=:z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==:"
        )
        try digest.check([])
        #expect(refusal { try digest.check([0]) } == .contentDigestMismatch)
    }

    @Test("The last digest of an algorithm counts (RFC 9651, section 4.2.2)") func repeated() throws {
        let wrong = "sha-256=:AAAA:"
        #expect(throws: Never.self) { try field("\(wrong), \(Self.sha256)").check(Self.hello) }
        #expect(
            refusal { try field("\(Self.sha256), \(wrong)").check(Self.hello) } == .contentDigestMismatch
        )
    }

    @Test("Every known digest must match, and one must be there") func matching() throws {
        let wrong = "sha-256=:AAAA:, " + Self.sha512
        #expect(refusal { try field(wrong).check(Self.hello) } == .contentDigestMismatch)
        #expect(refusal { try field(wrong).check(Self.hello, minimum: .sha512) } == .contentDigestMismatch)
        #expect(refusal { try field("md5=:AAAA:").check(Self.hello) } == .noSupportedDigestAlgorithm)
        #expect(refusal { try field("").check(Self.hello) } == .noSupportedDigestAlgorithm)
        #expect(
            refusal { try field(Self.sha256).check(Self.hello, minimum: .sha512) }
                == .noSupportedDigestAlgorithm
        )
        #expect(refusal { try DigestField(of: [], using: []) } == .noSupportedDigestAlgorithm)
        #expect(throws: Never.self) { try field("unixsum=:AAAA:, " + Self.sha256).check(Self.hello) }
    }

    @Test(
        "What is no dictionary of byte sequences",
        arguments: [
            "sha-256=AAAA", "SHA-256=:AAAA:", "sha-256", "sha-256=(:AAAA:)", "sha-256=:AA_A:",
            "sha-256=:AAA:",
            "sha-256=:AAAA:,", "other=1, \(sha256)",
        ]
    )
    func malformed(_ text: String) {
        #expect(refusal { try field(text) } == .malformedContentDigest)
    }

    @Test("The size is limited") func size() {
        let long = "sha-256=:" + String(repeating: "A", count: 1 << 20) + ":"
        #expect(refusal { try field(long) } == .limitExceeded)
    }

    @Test(
        "What a peer prefers",
        arguments: [
            ("sha-256=1", DigestAlgorithm.sha256), ("sha-512=3, sha-256=10, unixsum=0", .sha256),
            ("sha-256=5, sha-512=5", .sha512), ("sha-256=0", nil), ("md5=10", nil), ("", nil),
            ("sha-256=0, sha-512=1", .sha512), ("sha-256=9, sha-512=5, sha-256=1", .sha512),
        ]
    )
    func preferences(_ text: String, _ wanted: DigestAlgorithm?) throws {
        #expect(try DigestPreferences(parsing: Array(text.utf8)).preferred == wanted)
    }

    @Test(
        "What is no preference",
        arguments: [
            "sha-256", "sha-256=11", "sha-256=-1", "sha-256=1.0", "sha-256=(1)", "=1",
        ]
    )
    func malformedPreference(_ text: String) {
        #expect(refusal { try DigestPreferences(parsing: Array(text.utf8)) } == .malformedPreference)
    }

    @Test("Preferences are written as they are read") func writing() throws {
        let preferences = try DigestPreferences([.sha512: 10, .sha256: 1])
        #expect(preferences.serialized == "sha-256=1, sha-512=10")
        #expect(try DigestPreferences(parsing: Array(preferences.serialized.utf8)) == preferences)
        #expect(refusal { try DigestPreferences([.sha256: 11]) } == .malformedPreference)
    }
}
