import StructuredFields
import Testing

@Suite("Structured fields: hostile sizes", .timeLimit(.minutes(1))) struct LimitTests {
    static let megabyte = 1 << 20

    @Test("The longest input is taken, one octet more is not") func length() throws {
        let longest = "\"" + String(repeating: "a", count: Self.megabyte - 2) + "\""
        #expect(try Item(parsing: longest).bareItem.string?.utf8.count == Self.megabyte - 2)
        #expect(throws: StructuredFieldError(.tooLong, at: Self.megabyte)) {
            try Item(parsing: longest + " ")
        }
        #expect(throws: StructuredFieldError(.tooLong, at: 3)) {
            try FieldList(parsing: "a, b", with: StructuredFieldParser(maximumLength: 3))
        }
    }

    @Test(
        "Members, items and parameters count together",
        arguments: ["a, b, c, d", "a;b;c;d", "(a b c)", "(a);b;c, d"]
    )
    func members(_ text: String) throws {
        #expect(throws: Never.self) {
            try FieldList(
                parsing: text,
                with: StructuredFieldParser(maximumMembers: text.contains(")") ? 5 : 4)
            )
        }
        let error = #expect(throws: StructuredFieldError.self) {
            try FieldList(parsing: text, with: StructuredFieldParser(maximumMembers: 3))
        }
        #expect(error?.code == .tooManyMembers)
        #expect((0..<text.utf8.count).contains(error?.offset ?? -1))
    }

    @Test("Ten thousand parameters") func manyParameters() throws {
        let text = "a" + (0..<10_000).map { ";k\($0)" }.joined()
        let item = try Item(parsing: text)
        #expect(item.parameters.count == 10_000)
        #expect(item.parameters["k9999"] == true)
        #expect(try item.serialized() == text)
        #expect(try Item(parsing: text + ";k0;k1;k9999").parameters == item.parameters)
    }

    @Test("A thousand labels") func manyLabels() throws {
        let text = (0..<1000).map { "sig\($0)=(\"@method\" \"@path\");created=\($0)" }.joined(separator: ", ")
        let dictionary = try FieldDictionary(parsing: text)
        #expect(dictionary.count == 1000)
        #expect(dictionary["sig999"]?.parameters["created"] == 999)
        #expect(try dictionary.serialized() == text)
    }

    @Test(
        "A megabyte of one kind ends, without a limit on members too",
        arguments: [
            ("a", ";a"), ("a", ";"), ("a", "\t"), ("a", ", "), ("", "a,"), ("", "k=1,"),
            ("", "()"), ("", "("),
            ("(", "a;b "), ("(", " "), ("", " "), ("", "0"), ("\"", "a"), ("\"", "\\\""), (":", "A"),
            ("", ":"),
            ("%\"", "%c3%bc"), ("%\"", "%c3"), ("", "="),
        ]
    )
    func repetition(_ start: String, _ unit: String) {
        let room = Self.megabyte - start.utf8.count
        let text = start + String(repeating: unit, count: room / unit.utf8.count)
        checkEnds(FieldList.self, text)
        checkEnds(FieldDictionary.self, text)
    }

    @Test("The limits can be lifted") func lifted() throws {
        let parser = StructuredFieldParser(maximumLength: .max, maximumMembers: .max)
        let text = (0..<100_000).map { "label\($0)" }.joined(separator: ", ")
        #expect(text.utf8.count > Self.megabyte)
        #expect(try FieldDictionary(parsing: text, with: parser).count == 100_000)
        #expect(throws: StructuredFieldError(.tooLong, at: Self.megabyte)) {
            try FieldDictionary(parsing: text)
        }
    }

    private func checkEnds<Value: StructuredField>(_: Value.Type, _ text: String) {
        do throws(StructuredFieldError) {
            let value = try Value(parsing: text, with: StructuredFieldParser(maximumMembers: .max))
            #expect(throws: Never.self) { try value.serialized() }
        } catch {
            #expect((0...Self.megabyte).contains(error.offset ?? -1))
        }
    }
}
