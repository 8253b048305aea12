import Encodings
import FoundationEssentials
import ProtectionCommands
import StructuredFields
import TestVectors
import Testing

@Suite("sfv") struct StructuredFieldTests {
    @Test(arguments: [
        ("item", "2; foourl=\"x\"", #"{"value":[2,[["foourl","x"]]],"canonical":"2;foourl=\"x\""}"#),
        ("item", "1.50", #"{"value":[1.5,[]],"canonical":"1.5"}"#),
        ("item", "-2.0", #"{"value":[-2.0,[]],"canonical":"-2.0"}"#),
        ("item", "-0.001", #"{"value":[-0.001,[]],"canonical":"-0.001"}"#),
        (
            "item", ":aGVsbG8=:",
            #"{"value":[{"__type":"binary","value":"NBSWY3DP"},[]],"canonical":":aGVsbG8=:"}"#
        ),
        (
            "item", "@1659578233",
            #"{"value":[{"__type":"date","value":1659578233},[]],"canonical":"@1659578233"}"#
        ),
        (
            "item", #"%"f%c3%bc""#,
            #"{"value":[{"__type":"displaystring","value":"fü"},[]],"canonical":"%\"f%c3%bc\""}"#
        ),
        (
            "list", "a,  ( ?0 1 );q",
            #"{"value":[[{"__type":"token","value":"a"},[]],[[[false,[]],[1,[]]],[["q",true]]]],"canonical":"a, (?0 1);q"}"#
        ),
        ("list", "", #"{"value":[],"canonical":""}"#),
        ("dictionary", "a=1,b,a=2", #"{"value":[["a",[2,[]]],["b",[true,[]]]],"canonical":"a=2, b"}"#),
    ])
    func oneAnswerForALine(kind: String, line: String, answer: String) async {
        let run = await Run(["sfv", kind, "-"], input: line + "\n")
        #expect(run.exit == .ok && run.errors == "")
        #expect(run.output == answer + "\n")
    }

    @Test(arguments: ["item", "list", "dictionary"]) func noLineHasNoAnswer(kind: String) async {
        let run = await Run(["sfv", kind, "-"], input: "")
        #expect(run.exit == .ok && run.output == "" && run.errors == "")
    }

    @Test func aRefusedLineIsAnsweredInItsPlace() async {
        let run = await Run(["sfv", "item", "-"], input: "1\n1 2\n\n3")
        #expect(run.exit == .refused && run.errors == "")
        #expect(
            run.output == """
                {"value":[1,[]],"canonical":"1"}
                {"error":{"code":"trailingData","offset":2}}
                {"error":{"code":"unexpectedEnd","offset":0}}
                {"value":[3,[]],"canonical":"3"}

                """
        )
    }

    /// The forms are those of the public suite: for every case that parses, the suite's own value comes out.
    @Test(
        .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence)),
        arguments: [
            "binary", "boolean", "date", "dictionary", "display-string", "examples", "item", "list", "number",
            "token",
        ]
    )
    func theFormsAreThoseOfTheSuite(file: String) async throws {
        let bytes = try ConformanceData.bytes("structured-fields/\(file).json")
        for value in try #require(try JSONValue(parsing: [UInt8](bytes)).array) {
            let json = try #require(value.object)
            guard json["must_fail"] == nil, json["can_fail"] == nil, let raw = json["raw"]?.array,
                raw.count == 1,
                let line = raw[0].string, !line.contains("\n"), let kind = json["header_type"]?.string
            else { continue }
            let run = await Run(["sfv", kind, "-"], input: line + "\n")
            let answer = try JSONValue(parsing: run.octets).object
            #expect(Self.isSame(answer?["value"], json["expected"]), "\(json["name"]?.string ?? "")")
        }
    }

    /// Equal but for how many zeros a number ends in.
    private static func isSame(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        switch (left, right) {
        case (.number(let left)?, .number(let right)?):
            left.double == right.double && left.lexeme.contains(".") == right.lexeme.contains(".")
        case (.array(let left)?, .array(let right)?):
            left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
        default: left == right
        }
    }
}
