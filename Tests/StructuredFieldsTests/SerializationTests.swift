import StructuredFields
import Testing

@Suite("Structured fields: serialising") struct SerializationTests {
    @Test(
        "A value has one form",
        arguments: [
            (0, "0"), (-42, "-42"), (.integer(999_999_999_999_999), "999999999999999"), (true, "?1"),
            (false, "?0"),
            ("", #""""#), (#"a"b\c"#, #""a\"b\\c""#), (.bytes([]), "::"), (.bytes([0xFB, 0xFF]), ":+/8=:"),
            (.date(-1), "@-1"),
            (.displayString("100% \"ü\"\n"), #"%"100%25 %22%c3%bc%22%0a""#),
        ] as [(BareItem, String)]
    )
    func forms(_ value: BareItem, _ text: String) throws {
        #expect(try value.serialized() == text)
        #expect(try Item(parsing: text) == Item(value))
    }

    @Test(
        "A value without a form is an error",
        arguments: [
            (.integer(1_000_000_000_000_000), .numberOutOfRange), (.integer(.min), .numberOutOfRange),
            (.date(-1_000_000_000_000_000), .numberOutOfRange), ("é", .invalidString),
            ("a\r\n", .invalidString),
            ("\u{7F}", .invalidString),
        ] as [(BareItem, StructuredFieldError.Code)]
    )
    func impossible(_ value: BareItem, _ code: StructuredFieldError.Code) {
        #expect(throws: StructuredFieldError(code)) { try value.serialized() }
        #expect(throws: StructuredFieldError(code)) { try Item("a", parameters: ["a": value]).serialized() }
        #expect(throws: StructuredFieldError(code)) {
            try (["a": .item(Item(value))] as FieldDictionary).serialized()
        }
        #expect(throws: StructuredFieldError(code)) {
            try Member.innerList(InnerList([Item(value)])).serialized()
        }
    }

    @Test("A key without a form is an error", arguments: ["", "A", "1", "-a", "a b", "aA", "é", "a=", "_"])
    func keys(_ key: String) {
        #expect(throws: StructuredFieldError(.invalidKey)) { try ([key: 1] as Parameters).serialized() }
        #expect(throws: StructuredFieldError(.invalidKey)) {
            try ([key: .item(Item(1))] as FieldDictionary).serialized()
        }
    }

    @Test(
        "A token is checked when it is made",
        arguments: [("", 0), ("1a", 0), ("a b", 1), ("aé", 1), ("a\"", 1), (":a", 0)]
    )
    func tokens(_ text: String, _ offset: Int) {
        #expect(throws: StructuredFieldError(.invalidToken, at: offset)) { try Token(text) }
    }

    @Test(
        "A decimal has at least one and at most three digits after the point",
        arguments: [
            (0, "0.0"), (1, "0.001"), (-10, "-0.01"), (1500, "1.5"), (10000, "10.0"), (-1, "-0.001"),
            (999_999_999_999_999, "999999999999.999"), (-999_999_999_999_999, "-999999999999.999"),
        ] as [(Int64, String)]
    )
    func decimals(_ thousandths: Int64, _ text: String) throws {
        let number = try DecimalNumber(thousandths: thousandths)
        #expect(number.description == text)
        #expect(try Item(parsing: text).bareItem == .decimal(number))
        #expect(try DecimalNumber(rounding: number.double) == number)
    }

    @Test(
        "A number that no decimal holds is refused",
        arguments: [1e12, -1e12, 1e300, .infinity, .nan, 999_999_999_999.9996]
    )
    func outOfRange(_ number: Double) {
        #expect(throws: StructuredFieldError(.numberOutOfRange)) { try DecimalNumber(rounding: number) }
    }

    @Test("Decimals are ordered as numbers") func order() throws {
        #expect(try DecimalNumber(rounding: -1.5) < DecimalNumber(rounding: 0.001))
        #expect(throws: StructuredFieldError(.numberOutOfRange)) { try DecimalNumber(thousandths: .max) }
    }

    @Test("Lists and dictionaries") func collections() throws {
        let inner = InnerList([Item("a", parameters: ["x": true]), Item(1)], parameters: ["y": false])
        #expect(
            try ([.innerList(inner), .item(Item(true))] as FieldList).serialized() == #"("a";x 1);y=?0, ?1"#
        )
        let dictionary: FieldDictionary = [
            "k": .innerList(inner), "t": .item(Item(true, parameters: ["z": 1])), "f": .item(Item(false)),
        ]
        #expect(try dictionary.serialized() == #"k=("a";x 1);y=?0, t;z=1, f=?0"#)
        #expect(try Member.item(Item(true)).serialized() == "?1")
        #expect(try FieldList([]).serialized().isEmpty)
        #expect(try FieldDictionary().serialized().isEmpty)
    }
}
