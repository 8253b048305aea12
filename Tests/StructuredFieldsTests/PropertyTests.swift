import StructuredFields
import Testing

@Suite("Structured fields: properties") struct PropertyTests {
    @Test("Parsing what was serialised gives the value back", arguments: 0..<20)
    func roundTrip(_ seed: Int) throws {
        var values = RandomValues(seed: UInt64(seed))
        for _ in 0..<100 {
            try check(values.item())
            try check(values.list())
            try check(values.dictionary())
        }
    }

    private func check<Value: StructuredField>(_ value: Value) throws {
        let text = try value.serialized()
        let parser = StructuredFieldParser(duplicateKeys: .reject)
        let parsed = try Value(parsing: text, with: parser)
        #expect(parsed == value)
        // The equality of strings overlooks how a letter is composed; the text does not.
        #expect(try Array(parsed.serialized().utf8) == Array(text.utf8))
        #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test("Whatever parses serialises to a text that parses to the same", arguments: 0..<20)
    func stability(_ seed: Int) throws {
        var values = RandomValues(seed: UInt64(seed))
        for _ in 0..<500 {
            let text = values.nearlyField()
            try checkStability(Item.self, text)
            try checkStability(FieldList.self, text)
            try checkStability(FieldDictionary.self, text)
        }
    }

    private func checkStability<Value: StructuredField>(_: Value.Type, _ text: String) throws {
        let value: Value
        do throws(StructuredFieldError) {
            value = try Value(parsing: text)
        } catch {
            let offset = try #require(error.offset)
            #expect((0...text.utf8.count).contains(offset))
            return
        }
        let canonical = try value.serialized()
        #expect(try Value(parsing: canonical) == value)
        #expect(try Value(parsing: canonical).serialized() == canonical)
    }

    @Test("A text cut short never parses to the whole value") func truncation() throws {
        let text = Array(#"a=("b";c=1.5 :aGk=:);d=%"%c3%bc", e=@1;f=?0"#.utf8)
        let whole = try FieldDictionary(parsing: text)
        for length in 0..<text.count {
            let value = try? FieldDictionary(parsing: Array(text.prefix(length)))
            #expect(value != whole)
        }
    }
}
