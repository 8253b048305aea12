import StructuredFields
import Testing

@Suite("Structured fields: faults") struct FaultTests {
    typealias Code = StructuredFieldError.Code

    @Test(
        "An item's fault has a code and an offset",
        arguments: [
            ("", Code.unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("\t1", .invalidCharacter, 0),
            ("!", .invalidCharacter, 0),
            ("é", .invalidCharacter, 0), ("1 ,", .trailingData, 2), ("1 2", .trailingData, 2),
            ("1\t", .trailingData, 1),
            ("a\u{0}", .trailingData, 1), ("()", .invalidCharacter, 0),
            ("1;", .unexpectedEnd, 2), ("1;A", .invalidKey, 2), ("1;=1", .invalidKey, 2),
            ("1;a=", .unexpectedEnd, 4),
            ("1;a =1", .trailingData, 4), ("1;\ta", .invalidKey, 2), ("1 ;a", .trailingData, 2),
            ("1;a=;", .invalidCharacter, 4),
            ("-", .unexpectedEnd, 1), ("-a", .invalidNumber, 1), ("--1", .invalidNumber, 1),
            ("1.", .unexpectedEnd, 2),
            ("1.a", .invalidNumber, 2), ("1.2.3", .trailingData, 3), ("+1", .invalidCharacter, 0),
            ("1000000000000000", .numberOutOfRange, 15), ("0000000000000001", .numberOutOfRange, 15),
            ("1000000000000.0", .numberOutOfRange, 13), ("1.0001", .numberOutOfRange, 5),
            ("\"a", .unexpectedEnd, 2), ("\"a\\", .unexpectedEnd, 3), ("\"\\a\"", .invalidString, 2),
            ("\"\t\"", .invalidString, 1), ("\"a\\\"é\"", .invalidString, 4),
            ("\"\u{7F}\"", .invalidString, 1),
            (":", .unexpectedEnd, 1), (":aGk=", .unexpectedEnd, 5), (":aGk:", .invalidByteSequence, 4),
            (":aGl=:", .invalidByteSequence, 3), (":a_k=:", .invalidByteSequence, 2),
            (":a Gk=:", .invalidByteSequence, 2),
            (":uuueGVsbG8=:", .invalidByteSequence, 11), (":=aGk:", .invalidByteSequence, 1),
            ("?", .unexpectedEnd, 1), ("?2", .invalidBoolean, 1), ("?T", .invalidBoolean, 1),
            ("?10", .trailingData, 2),
            ("@", .unexpectedEnd, 1), ("@x", .invalidDate, 1), ("@ 1", .invalidDate, 1),
            ("@1.5", .invalidDate, 1),
            ("@-", .unexpectedEnd, 2), ("@1000000000000000", .numberOutOfRange, 16),
            ("%", .unexpectedEnd, 1), ("%a", .invalidDisplayString, 1), ("%\"a", .unexpectedEnd, 3),
            ("%\"%", .unexpectedEnd, 3), ("%\"%4", .unexpectedEnd, 4),
            ("%\"%C3%bc\"", .invalidDisplayString, 3),
            ("%\"%4\"", .invalidDisplayString, 4), ("%\"é\"", .invalidDisplayString, 2),
            ("%\"a%62%c3%28\"", .invalidDisplayString, 6), ("%\"%ed%a0%80\"", .invalidDisplayString, 2),
            ("%\"%c0%80\"", .invalidDisplayString, 2),
        ]
    )
    func item(_ text: String, _ code: Code, _ offset: Int) {
        #expect(throws: StructuredFieldError(code, at: offset)) { try Item(parsing: text) }
    }

    @Test(
        "A list's fault has a code and an offset",
        arguments: [
            ("a b", Code.missingComma, 2), ("a;b c", .missingComma, 4), ("a,", .trailingComma, 1),
            ("a,b ,\t ", .trailingComma, 4),
            ("a,,b", .invalidCharacter, 2), (",a", .invalidCharacter, 0), ("\ta", .invalidCharacter, 0),
            ("(", .unexpectedEnd, 1), ("(a", .unexpectedEnd, 2), ("(a ", .unexpectedEnd, 3),
            ("(a,b)", .invalidInnerList, 2),
            ("(a\tb)", .invalidInnerList, 2), ("(\ta)", .invalidCharacter, 1),
            ("(\"a\"\"b\")", .invalidInnerList, 4),
            ("((a))", .invalidCharacter, 1), ("a)", .missingComma, 1), ("()a", .missingComma, 2),
        ]
    )
    func list(_ text: String, _ code: Code, _ offset: Int) {
        #expect(throws: StructuredFieldError(code, at: offset)) { try FieldList(parsing: text) }
    }

    @Test(
        "A dictionary's fault has a code and an offset",
        arguments: [
            ("A=1", Code.invalidKey, 0), ("1=1", .invalidKey, 0), ("a=1,B=2", .invalidKey, 4),
            ("a=", .unexpectedEnd, 2),
            ("a= 1", .invalidCharacter, 2), ("a =1", .missingComma, 2), ("a=1 b=2", .missingComma, 4),
            ("a=1,", .trailingComma, 3),
            ("a, ,b", .invalidKey, 3), ("a=(1", .unexpectedEnd, 4), ("é", .invalidKey, 0),
        ]
    )
    func dictionary(_ text: String, _ code: Code, _ offset: Int) {
        #expect(throws: StructuredFieldError(code, at: offset)) { try FieldDictionary(parsing: text) }
    }

    @Test("An offset counts through the lines as they are joined") func joinedLines() {
        #expect(throws: StructuredFieldError(.invalidKey, at: 8)) {
            try FieldDictionary(parsingLines: ["a=1", "b, B", "c"])
        }
        #expect(throws: StructuredFieldError(.invalidCharacter, at: 3)) {
            try FieldList(parsingLines: ["a", "", "b"])
        }
    }

    @Test("Octets that are not UTF-8 are refused where they stand") func invalidUTF8() {
        #expect(throws: StructuredFieldError(.invalidString, at: 2)) {
            try Item(parsing: [0x22, 0x61, 0xFF, 0x22])
        }
        #expect(throws: StructuredFieldError(.trailingData, at: 1)) { try Item(parsing: [0x61, 0xC3]) }
    }

    @Test("A description holds the code and the place, not the input") func description() throws {
        let error = #expect(throws: StructuredFieldError.self) { try Item(parsing: "\"secret\" secret") }
        #expect(error?.description == "trailingData at octet 9")
        #expect(StructuredFieldError(.invalidKey).description == "invalidKey")
    }
}
