import AppAttestation
import Cryptography
import Testing

@Suite("What a request signs") struct SigningStringTests {
    static let parts = RequestSigningString.Parts(
        method: "POST",
        authority: "api.example",
        path: "/a?b=c",
        timestamp: "2026-01-01T00:00:00Z",
        body: [0xFF, 0x7C]
    )

    @Test func itIsOctets() throws {
        let octets = try RequestSigningString.standard.octets(for: Self.parts)
        #expect(octets == Array("POST|/a?b=c|2026-01-01T00:00:00Z|".utf8) + [0xFF, 0x7C])
        #expect(
            try RequestSigningString.standard.clientDataHash(for: Self.parts)
                == HashAlgorithm.sha256.hash(octets)
        )
    }

    @Test(arguments: ["path", "query", "timestamp", "method"]) func oneStringIsOneRequest(part: String) throws
    {
        var parts = Self.parts
        switch part {
        case "path": parts.path = "*"
        case "query": parts.path += "|2026-01-01T00:00:00Z"
        case "timestamp": parts.timestamp = "|"
        default: parts.method = "GET|/x"
        }
        let error = try #require(throws: AttestationError.self) {
            try RequestSigningString.standard.octets(for: parts)
        }
        #expect(error.code == .ambiguousSigningString)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (1_767_225_600, "2026-01-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)]
    )
    func aTimeHasOneText(seconds: Int64, text: String) {
        #expect(AssertionTimestamp.text(secondsSince1970: seconds) == text)
        #expect(AssertionTimestamp.secondsSince1970(text) == seconds)
    }

    @Test(
        arguments: [
            "", "2026-01-01T00:00:00", "2026-01-01T00:00:00.0Z", "2026-01-01t00:00:00Z",
            "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:0éZ",
        ]
    )
    func otherTextsAreNoTimes(text: String) {
        #expect(AssertionTimestamp.secondsSince1970(text) == nil)
        #expect(AssertionTimestamp.text(secondsSince1970: -1) == nil)
        #expect(AssertionTimestamp.text(secondsSince1970: 253_402_300_800) == nil)
    }
}
