import Encodings
import StructuredFields

extension Command {
    static let structuredFieldItem = StructuredFieldCommand.make(
        "item",
        example: "echo '2; foourl=\"https://foo.example.com/\"' | protection sfv item -"
    )
    static let structuredFieldList = StructuredFieldCommand.make(
        "list",
        example: "echo 'sugar, tea, rum;proof=80' | protection sfv list -"
    )
    static let structuredFieldDictionary = StructuredFieldCommand.make(
        "dictionary",
        example: "echo 'u=1, i, a=(1 2);q' | protection sfv dictionary -"
    )
}

/// `sfv item`, `sfv list` and `sfv dictionary`.
enum StructuredFieldCommand {
    private static let limit = 16 << 20

    static func make(_ kind: String, example: String) -> Command {
        Command(
            ["sfv", kind],
            "parse structured fields, one \(kind) a line",
            discussion: [
                "Each line is one field value of RFC 9651 and gets one line of JSON: the value in the forms of the public "
                    + "test suite and its canonical text, or the error with its offset in octets. The exit code is 1 when "
                    + "a line was refused."
            ],
            operands: [
                .init(name: "FILE", kind: .file, summary: "the file with the lines, or - for standard input")
            ],
            examples: [.init(purpose: "Parse the \(kind) of a field", line: example)],
            run: { try run($0, kind) }
        )
    }

    private static func run(_ invocation: Invocation, _ kind: String) throws {
        var octets = try invocation.files.read(
            invocation.arguments.operands[0],
            "the fields",
            limit: limit,
            trust: .any
        )
        guard !octets.isEmpty else { return }
        if octets.last == UInt8(ascii: "\n") { octets.removeLast() }
        var refused = 0
        for line in octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let answer = answer(Array(line), kind)
            if answer["error"] != nil { refused += 1 }
            try invocation.console.write(.object(answer))
        }
        guard refused == 0 else { throw EarlyEnd(exit: .refused) }
    }

    private static func answer(_ line: [UInt8], _ kind: String) -> JSONObject {
        var answer = JSONObject()
        do throws(StructuredFieldError) {
            let (value, canonical) = try parse(line, kind)
            answer["value"] = value
            answer["canonical"] = .string(canonical)
        } catch {
            answer["error"] = [
                "code": .string(error.code.description), "offset": .integer(Int64(error.offset ?? 0)),
            ]
        }
        return answer
    }

    private static func parse(
        _ line: [UInt8],
        _ kind: String
    ) throws(StructuredFieldError) -> (JSONValue, canonical: String) {
        switch kind {
        case "item":
            let item = try Item(parsing: line)
            return (StructuredFieldJSON.item(item), try item.serialized())
        case "list":
            let list = try FieldList(parsing: line)
            return (StructuredFieldJSON.list(list), try list.serialized())
        default:
            let dictionary = try FieldDictionary(parsing: line)
            return (StructuredFieldJSON.dictionary(dictionary), try dictionary.serialized())
        }
    }
}
