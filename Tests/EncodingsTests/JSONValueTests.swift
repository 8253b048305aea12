import Encodings
import Testing

@Suite("JSON") struct JSONValueTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "12.50", "1e400", "-1.0E-7", #""""#, #""a\"b\\c""#,
        #"{"a":1,"b":[{},[]]}"#,
        #"{"b":1,"a":2}"#, #""é😀\u0000\u001f\n""#, "[1,2,3]",
    ])
    func roundTrip(text: String) throws {
        let value = try JSONValue(parsing: Array(text.utf8))
        #expect(String(decoding: value.serialized(), as: UTF8.self) == text)
        #expect(try JSONValue(parsing: value.serialized()) == value)
    }

    @Test(arguments: [
        (#" [ 1 , 2 ] "#, #"[1,2]"#), ("{\t\"a\" :\r\n1 }", #"{"a":1}"#),
        (#""\u00e9\ud83d\ude00\/""#, #""é😀/""#),
    ])
    func normalises(text: String, expected: String) throws {
        #expect(
            String(decoding: try JSONValue(parsing: Array(text.utf8)).serialized(), as: UTF8.self) == expected
        )
    }

    @Test(arguments: [
        ("", DecodingFault(.invalidJSON, at: 0)), ("nul", DecodingFault(.invalidJSON, at: 3)),
        ("01", DecodingFault(.trailingData, at: 1)), ("+1", DecodingFault(.invalidJSON, at: 0)),
        ("1.", DecodingFault(.invalidJSON, at: 2)), (".5", DecodingFault(.invalidJSON, at: 0)),
        ("1e", DecodingFault(.invalidJSON, at: 2)), ("-", DecodingFault(.invalidJSON, at: 1)),
        ("NaN", DecodingFault(.invalidJSON, at: 0)), ("[1,]", DecodingFault(.invalidJSON, at: 3)),
        (#"{"a":1,}"#, DecodingFault(.invalidJSON, at: 7)), (#"{"a" 1}"#, DecodingFault(.invalidJSON, at: 5)),
        (#"{a:1}"#, DecodingFault(.invalidJSON, at: 1)), ("[1 2]", DecodingFault(.invalidJSON, at: 3)),
        (#""a"#, DecodingFault(.invalidJSON, at: 2)), ("\"a\nb\"", DecodingFault(.invalidJSON, at: 2)),
        (#""\x""#, DecodingFault(.invalidJSON, at: 2)), (#""\u12g4""#, DecodingFault(.invalidJSON, at: 5)),
        (#""\ud800""#, DecodingFault(.invalidJSON, at: 7)),
        (#""\udc00""#, DecodingFault(.invalidJSON, at: 2)),
        (#""\ud800\u0041""#, DecodingFault(.invalidJSON, at: 2)),
        ("1 2", DecodingFault(.trailingData, at: 2)),
        (#"{"a":1,"a":2}"#, DecodingFault(.duplicateMember, at: 7)),
        (#"{"a":1,"\u0061":2}"#, DecodingFault(.duplicateMember, at: 7)),
        (#"[{"x":{"k":1,"k":1}}]"#, DecodingFault(.duplicateMember, at: 13)),
        ("\u{FEFF}1", DecodingFault(.invalidJSON, at: 0)),
    ])
    func refuses(text: String, fault: DecodingFault) {
        #expect(throws: fault) { try JSONValue(parsing: Array(text.utf8)) }
    }

    @Test func invalidUTF8() {
        #expect(throws: DecodingFault(.invalidUTF8, at: 1)) {
            try JSONValue(parsing: [0x22, 0xC3, 0x28, 0x22])
        }
    }

    @Test func depthIsLimited() throws {
        let deep =
            Array(String(repeating: "[", count: 32).utf8) + Array(String(repeating: "]", count: 32).utf8)
        #expect(throws: Never.self) { try JSONValue(parsing: deep) }
        #expect(throws: DecodingFault(.tooDeep, at: 32)) {
            try JSONValue(parsing: [UInt8(ascii: "[")] + deep)
        }
        let bomb = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(throws: DecodingFault(.tooDeep, at: 32)) { try JSONValue(parsing: bomb) }
    }

    @Test(arguments: [1, 15, 16, 17, 18, 100]) func aRepeatedNameIsFoundAmongMany(count: Int) throws {
        let members = (0..<count).map { #""m\#($0)":0"# }
        #expect(throws: Never.self) {
            try JSONValue(parsing: Array("{\(members.joined(separator: ","))}".utf8))
        }
        for name in [0, count - 1] {
            let text = "{\((members + [#""m\#(name)":0"#]).joined(separator: ","))}"
            let fault = try #require(throws: DecodingFault.self) { try JSONValue(parsing: Array(text.utf8)) }
            #expect(fault.code == .duplicateMember)
        }
    }

    @Test func numbersKeepTheirDigits() throws {
        #expect(JSONValue.number(JSONNumber(5)).integer == 5)
        #expect(try JSONValue(parsing: Array("9223372036854775807".utf8)).integer == .max)
        #expect(try JSONValue(parsing: Array("9223372036854775808".utf8)).integer == nil)
        #expect(try JSONValue(parsing: Array("1.0".utf8)).integer == nil)
    }

    @Test func memberOrderDoesNotCountForEquality() {
        let one: JSONValue = ["a": 1, "b": 2]
        let two: JSONValue = ["b": 2, "a": 1]
        #expect(one == two)
        #expect(one.hashValue == two.hashValue)
        #expect(one != ["a": 1])
    }

    @Test func aNameIsItsCodePoints() throws {
        let object = try JSONValue(parsing: Array("{\"\u{212A}\":1,\"e\u{301}\":2}".utf8)).object
        #expect(object?["K"] == nil && object?["\u{E9}"] == nil)
        #expect(object?["\u{212A}"] == 1 && object?["e\u{301}"] == 2)
        let fault = try #require(throws: DecodingFault.self) {
            try JSONValue(parsing: Array("{\"K\":1,\"\u{212A}\":2}".utf8))
        }
        #expect(fault.code == .duplicateMember)
    }

    @Test func membersAreSetAndRemoved() {
        var object = JSONObject()
        object["a"] = 1
        object["b"] = "two"
        object["a"] = nil
        object["c"] = nil
        object["b"] = true
        #expect(JSONValue.object(object) == ["b": true])
    }
}
