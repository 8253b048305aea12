import StructuredFields
import Testing

@Suite("Structured fields: parsing") struct ParsingTests {
    @Test("The examples of RFC 9651 for bare items")
    func bareItems() throws {
        #expect(try Item(parsing: "42").bareItem == 42)
        #expect(try Item(parsing: "4.5").bareItem == .decimal(DecimalNumber(thousandths: 4500)))
        #expect(try Item(parsing: #""hello world""#).bareItem == "hello world")
        #expect(try Item(parsing: "foo123/456").bareItem == .token(Token("foo123/456")))
        let bytes = try Item(parsing: ":cHJldGVuZCB0aGlzIGlzIGJpbmFyeSBjb250ZW50Lg==:").bareItem.bytes
        #expect(bytes == Array("pretend this is binary content.".utf8))
        #expect(try Item(parsing: "?1").bareItem == true)
        #expect(try Item(parsing: "@1659578233").bareItem == .date(1_659_578_233))
        let display = try Item(parsing: #"%"This is intended for display to %c3%bcsers.""#)
        #expect(display.bareItem == .displayString("This is intended for display to üsers."))
    }

    @Test("The examples of RFC 9651 for lists")
    func lists() throws {
        let words = try FieldList(parsing: "sugar, tea, rum")
        #expect(words.members.compactMap { $0.item?.bareItem.token?.text } == ["sugar", "tea", "rum"])

        let inner = try FieldList(parsing: #"("foo" "bar"), ("baz"), ("bat" "one"), ()"#)
        #expect(
            inner == [
                .innerList(InnerList([Item("foo"), Item("bar")])), .innerList(InnerList([Item("baz")])),
                .innerList(InnerList([Item("bat"), Item("one")])), .innerList(InnerList([])),
            ]
        )

        let foo = try #require(
            try FieldList(parsing: #"("foo"; a=1;b=2);lvl=5, ("bar" "baz");lvl=1"#).members.first
        )
        #expect(foo.innerList?.items == [Item("foo", parameters: ["a": 1, "b": 2])])
        #expect(foo.parameters == ["lvl": 5])
        #expect(foo.item == nil)

        #expect(try FieldList(parsingLines: ["sugar, tea", "rum"]) == words)
        #expect(try FieldList(parsing: "").members.isEmpty)
    }

    @Test("The examples of RFC 9651 for dictionaries")
    func dictionaries() throws {
        let languages = try FieldDictionary(parsing: #"en="Applepie", da=:w4ZibGV0w6ZydGU=:"#)
        #expect(languages["en"] == .item(Item("Applepie")))
        #expect(languages["da"]?.item?.bareItem.bytes == Array("Æbletærte".utf8))
        #expect(languages["fr"] == nil)

        let flags = try FieldDictionary(parsing: "a=?0, b, c; foo=bar")
        #expect(flags["a"]?.item?.bareItem.boolean == false)
        #expect(flags["b"]?.item?.bareItem.boolean == true)
        #expect(flags["c"]?.parameters["foo"]?.token?.text == "bar")
        #expect(flags["b"]?.innerList == nil)

        #expect(
            try FieldDictionary(parsing: "rating=1.5, feelings=(joy sadness)").map(\.key) == [
                "rating", "feelings",
            ]
        )
        #expect(try FieldDictionary(parsing: "").isEmpty)
    }

    @Test("A bare item is only what it is")
    func accessors() throws {
        let values: [BareItem] = [
            1, .decimal(try DecimalNumber(rounding: 0.5)), "a", .token(try Token("a")), .bytes([1]), true,
            .date(1),
            .displayString("a"),
        ]
        #expect(values.compactMap(\.integer) == [1])
        #expect(values.compactMap(\.decimal?.double) == [0.5])
        #expect(values.compactMap(\.string) == ["a"])
        #expect(values.compactMap(\.token?.description) == ["a"])
        #expect(values.compactMap(\.bytes) == [[1]])
        #expect(values.compactMap(\.boolean) == [true])
        #expect(values.compactMap(\.date) == [1])
        #expect(values.compactMap(\.displayString) == ["a"])
    }

    @Test("A repeated key keeps its first place and its last value")
    func duplicateKeys() throws {
        let item = try Item(parsing: "x;a;b=1;c=2;b=3")
        #expect(item.parameters == ["a": true, "b": 3, "c": 2])
        #expect(try item.serialized() == "x;a;b=3;c=2")
        let dictionary = try FieldDictionary(parsing: "a=1,b=2,a=3;p")
        #expect(try dictionary.serialized() == "a=3;p, b=2")
    }

    @Test(
        "A repeated key can be refused",
        arguments: [("a=1, b=2, a", 10), ("a;x;y;x=1", 6), ("a=(b;c;c)", 7)]
    )
    func rejectedDuplicate(_ text: String, _ offset: Int) {
        let parser = StructuredFieldParser(duplicateKeys: .reject)
        #expect(throws: StructuredFieldError(.duplicateKey, at: offset)) {
            try FieldDictionary(parsing: text, with: parser)
        }
        #expect(throws: Never.self) { try FieldDictionary(parsing: text) }
    }

    @Test("The same key in two places is no repetition")
    func separateKeys() throws {
        let parser = StructuredFieldParser(duplicateKeys: .reject)
        #expect(try FieldDictionary(parsing: "a=(a;a b;a);a;b, b;a", with: parser).count == 2)
    }

    @Test("A signature's member serialises as it was received, unknown parameters included")
    func reserialization() throws {
        let text = #"("@method" "@authority";req "x-a";zzz=1.50;bs);created=1618884473;new=:AQ==:;keyid="k""#
        let field = try FieldDictionary(parsing: "sig1=\(text),sig2=()")
        let member = try #require(field["sig1"]?.innerList)
        #expect(try member.serialized() == text.replacing("1.50", with: "1.5"))
        #expect(try member.items[1].serialized() == #""@authority";req"#)
        #expect(try member.parameters.serialized() == #";created=1618884473;new=:AQ==:;keyid="k""#)
    }
}
