import HTTPMessages
import Testing

@Suite("Fields") struct HTTPFieldTests {
    @Test(arguments: ["", " ", "a b", "é", "a:", "a\r", "a\n", "a\0", "(a)", "a/b", "\"a\""])
    func namesAreTokens(name: String) throws {
        let error = try #require(throws: HTTPMessageError.self) { try HTTPField.Name(name) }
        #expect(error.code == .invalidFieldName)
        #expect(error.offset != nil)
    }

    @Test(arguments: [
        ("a\r\nX-Evil: 1", 1), ("a\nb", 1), ("a\rb", 1), ("a\0b", 1), ("\u{7F}", 0), ("a\u{1B}[0m", 1),
        (" a", 0),
        ("a ", 1), ("\ta", 0), ("a\t", 1), ("a \t", 2), (" ", 0),
    ])
    func valuesAreRefusedNotRepaired(value: String, offset: Int) throws {
        let error = try #require(throws: HTTPMessageError.self) { try HTTPField("X-Test", value) }
        #expect(error.code == .invalidFieldValue)
        #expect(error.offset == offset)
        #expect(!error.description.contains("Evil"))
        #expect(throws: HTTPMessageError.self) { try HTTPField("X-Test", bytes: Array(value.utf8)) }
    }

    @Test(arguments: ["", "a", "a b", "a\tb", "é", "\"quoted, with comma\"", "a  b"])
    func valuesAreKept(value: String) throws {
        let field = try HTTPField("X-Test", value)
        #expect(field.value == value)
        #expect(field.bytes == Array(value.utf8))
        #expect(try HTTPField("X-Test", bytes: Array(value.utf8)) == field)
    }

    @Test func octetsThatAreNotUTF8AreKept() throws {
        let field = try HTTPField("X-Test", bytes: [0x63, 0x61, 0x66, 0xE9])
        #expect(field.value == "café")
        #expect(field.bytes == [0x63, 0x61, 0x66, 0xE9])
        #expect(field != (try HTTPField("X-Test", "café")))
    }

    @Test func namesCompareWithoutCaseAndKeepIt() throws {
        let text = "X-API-Key"
        let name = try HTTPField.Name(text)
        #expect(name == "x-api-key")
        #expect(name.hashValue == HTTPField.Name("x-api-KEY").hashValue)
        #expect(name.rawName == "X-API-Key")
        #expect(name.canonicalName == "x-api-key")
    }

    @Test func severalValuesOfOneName() throws {
        var fields = HTTPFields()
        try fields.append("1", for: "A")
        try fields.append("2", for: "b")
        try fields.append("3", for: "a")
        #expect(fields["A"] == "1, 3")
        #expect(fields[values: "a"] == ["1", "3"])
        #expect(fields["c"] == nil)
        #expect(fields[values: "c"].isEmpty)
        #expect(fields.map(\.name.rawName) == ["A", "b", "a"])
        try fields.set("4", for: "a")
        #expect(fields.map(\.value) == ["4", "2"])
        fields.removeAll("A")
        #expect(fields.count == 1)
        #expect(!fields.contains("a") && fields.contains("B"))
    }

    @Test func aRefusedValueChangesNothing() throws {
        var fields = HTTPFields()
        try fields.append("1", for: "A")
        let before = fields
        #expect(throws: HTTPMessageError.self) { try fields.set("x\r\ny", for: "A") }
        #expect(throws: HTTPMessageError.self) { try fields.append("x\r\ny", for: "B") }
        #expect(fields == before)
    }

    @Test func equalListsHashEqual() throws {
        let one = HTTPFields([try HTTPField("A", "1"), try HTTPField("B", "2")])
        let two = HTTPFields([try HTTPField("a", "1"), try HTTPField("b", "2")])
        let other = HTTPFields([try HTTPField("B", "2"), try HTTPField("A", "1")])
        #expect(one == two && one.hashValue == two.hashValue)
        #expect(one != other)
        #expect(Set([one, two]).count == 1)
    }

    @Test func aDumpShowsNoValue() throws {
        var request = try HTTPRequest(
            method: .post,
            url: "https://a.example/?key=s3cret",
            body: HTTPBody("s3cret")
        )
        try request.fields.set("s3cret", for: .authorization)
        let response = HTTPResponse(status: .ok, fields: request.fields, body: Array("s3cret".utf8))
        let values: [Any] = [request, request.target, request.fields, request.fields.array, response]
        for value in values + [request.body as Any] {
            var text = ""
            dump(value, to: &text)
            #expect(!text.contains("s3cret") && !text.contains("115"), "\(text)")
        }
    }

    @Test func descriptionsShowNoValue() throws {
        let secret = "s3cr3t-value"
        let fields = HTTPFields([try HTTPField("Authorization", secret)])
        let request = try HTTPRequest(
            url: "https://example.com/a?key=\(secret)",
            fields: fields,
            body: HTTPBody(secret)
        )
        for text in ["\(fields)", "\(fields[0])", "\(request)", "\(request.target)", "\(HTTPBody(secret))"] {
            #expect(!text.contains(secret))
        }
        let response = HTTPResponse(status: .ok, fields: fields, body: Array(secret.utf8))
        #expect("\(response)" == "200, 12 octets")
    }
}

@Suite("Binding value") struct BindingValueTests {
    @Test func valuesAreJoinedInTheOrderAgreedOn() throws {
        var fields = HTTPFields()
        try fields.append("2", for: "B")
        try fields.append("1", for: "A")
        try fields.append("3", for: "b")
        #expect(fields.bindingValue(of: ["A", "B"]) == Array("12, 3".utf8))
        #expect(fields.bindingValue(of: ["B", "A"]) == Array("2, 31".utf8))
        #expect(fields.bindingValue(of: ["A", "C"]) == Array("1".utf8))
        #expect(fields.bindingValue(of: ["C"]) == nil && fields.bindingValue(of: []) == nil)
    }

    @Test func theOctetsOfTheWireCount() throws {
        let fields = HTTPFields([try HTTPField("A", bytes: [0x63, 0xE9])])
        #expect(fields.bindingValue(of: ["A"]) == [0x63, 0xE9])
    }

    @Test func anEmptyValueIsThere() throws {
        #expect(HTTPFields([try HTTPField("A", "")]).bindingValue(of: ["A"]) == [])
    }
}
