import Encodings
import FoundationEssentials
import StructuredFields
import TestVectors
import Testing

/// One case of the HTTP working group's structured-field-tests.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    enum Kind: String, Sendable {
        case item, list, dictionary
    }

    let file: String
    let name: String
    let kind: Kind
    /// The lines to parse; nil in the cases that only serialise.
    let raw: [String]?
    let expected: JSONValue?
    let mustFail: Bool
    let canFail: Bool
    /// What the value serialises to, where that is not the line that was parsed.
    let canonical: [String]?

    var testDescription: String { "\(file): \(name)" }

    /// What the value must serialise to.
    var output: String { (canonical ?? raw ?? []).joined(separator: ", ") }

    static let files = [
        "binary": 15, "boolean": 12, "date": 17, "dictionary": 26, "display-string": 22, "examples": 21,
        "item": 5, "key-generated": 640, "large-generated": 11, "list": 11, "listlist": 12,
        "number-generated": 193, "number": 37, "param-dict": 14, "param-list": 20, "param-listlist": 3,
        "string-generated": 256, "string": 14, "token-generated": 256, "token": 6,
        "serialisation-tests/key-generated": 378, "serialisation-tests/number": 9,
        "serialisation-tests/string-generated": 33, "serialisation-tests/token-generated": 124,
    ]

    static func all() throws -> [ConformanceCase] {
        guard ConformanceData.isPresent else { return [] }
        return try files.keys.sorted().flatMap(load)
    }

    private static func load(_ file: String) throws -> [ConformanceCase] {
        let bytes = [UInt8](try ConformanceData.bytes("structured-fields/\(file).json"))
        let cases = try #require(try JSONValue(parsing: bytes).array)
        return try cases.map { try ConformanceCase(file: file, members: #require($0.object)) }
    }

    private init(file: String, members: JSONObject) throws {
        self.file = file
        name = try #require(members["name"]?.string)
        kind = try #require(members["header_type"]?.string.flatMap(Kind.init))
        raw = try members["raw"].map(Self.lines)
        expected = members["expected"]
        mustFail = members["must_fail"]?.bool ?? false
        canFail = members["can_fail"]?.bool ?? false
        canonical = try members["canonical"].map(Self.lines)
    }

    private static func lines(_ value: JSONValue) throws -> [String] {
        try #require(value.array).map { try #require($0.string) }
    }
}
