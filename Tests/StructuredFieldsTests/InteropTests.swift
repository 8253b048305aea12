import Encodings
import StructuredFields
import TestSupport
import Testing

/// Random values in both directions with the Python package http-sfv.
///
/// What the peer is known to do in another way than RFC 9651 is left out: empty lists and dictionaries, which it neither
/// parses nor writes; dates outside of the years 1 to 9999; control characters in display strings, which it writes wrong.
@Suite(
    "Structured fields: interoperability",
    .enabled(if: Peers.isPresent, Comment(rawValue: Peers.absence)),
    .timeLimit(.minutes(2))
)
struct InteropTests {
    private static let count = 200
    private static let seed: UInt64 = 9651

    @Test(
        "The peer parses what we write to the same value, and we what it writes",
        arguments: ["item", "list", "dictionary"]
    )
    func bothWays(_ kind: String) async throws {
        var values = RandomValues(seed: Self.seed)
        values.dates = -62_135_596_800...253_402_300_799
        values.displayed = " \"%\\aé\u{301}\u{FEFF}漢🙂\u{10FFFF}"
        let fields = try (0..<Self.count).map { _ in try PeerField(kind, &values) }
        let questions = try fields.flatMap { field in
            [
                ["ask": "parse", "kind": .string(kind), "text": .string(try field.text)],
                ["ask": "serialize", "kind": .string(kind), "value": field.json],
            ] as [JSONValue]
        }
        let answers = try await Peers.ask("structured_fields", questions.map { $0.serialized() })
            .map { try #require(try JSONValue(parsing: $0).object) }
        for (index, field) in fields.enumerated() {
            let (parsed, written) = (answers[2 * index], answers[2 * index + 1])
            let text = try field.text
            let comment = Comment(rawValue: "seed \(Self.seed), value \(index), \(text)")
            #expect(parsed["value"] == field.json, comment)
            #expect(parsed["text"]?.string == text, comment)
            let theirs = try #require(written["text"]?.string, comment)
            #expect(try field.isEqual(toParsed: theirs), comment)
        }
    }
}
