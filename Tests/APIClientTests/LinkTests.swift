import APIClient
import HTTPMessages
import Testing

@Suite("Links") struct LinkTests {
    private func links(_ values: String...) throws -> [WebLink] {
        var fields = HTTPFields()
        for value in values { try fields.append(value, for: "Link") }
        return try WebLink.links(in: fields)
    }

    @Test func theExamplesOfTheStandard() throws {
        let chapter = try links(
            #"<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter""#
        )
        #expect(chapter[0].target == "http://example.com/TheBook/chapter2")
        #expect(chapter[0].relations == ["previous"])
        #expect(chapter[0].parameters[1] == QueryItem("title", "previous chapter"))
        #expect(try links(#"</>; rel="http://example.net/foo""#)[0].relations == ["http://example.net/foo"])
        #expect(try links(##"</terms>; rel="copyright"; anchor="#foo""##)[0].anchor == "#foo")
        let book = try links(
            #"</TheBook/chapter2>; rel="previous"; title*=UTF-8'de'letztes%20Kapitel, </TheBook/chapter4>; rel="next"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel"#
        )
        #expect(book.map(\.relations) == [["previous"], ["next"]])
        #expect(
            try links(#"<http://example.org/>; rel="start http://example.net/relation/other""#)[0].relations
                == ["start", "http://example.net/relation/other"]
        )
        let two = try links(#"<https://example.org/>; rel="start", <https://example.org/index>; rel="index""#)
        #expect(two.map(\.relations) == [["start"], ["index"]])
    }

    @Test func whatServersWrite() throws {
        #expect(try links("<a>;rel=next").map(\.relations) == [["next"]])
        #expect(try links("<a> ; REL = \"Next\\\"x\" ;; foo , ,<b>", "<c>;rel=prev").count == 3)
        #expect(try links("<a,b;c>; x=\"1,<2>;\"; rel=next; rel=prev")[0].relations == ["next"])
        #expect(try links("<a,b;c>; x=\"1,<2>;\"; rel=next")[0].target == "a,b;c")
        #expect(try links("").isEmpty && links().isEmpty)
        #expect(try links("<>")[0] == links("<>;")[0])
    }

    @Test(arguments: [
        "a", "<a", "<a>; rel=\"next", "<a>; rel=\"x\\", "<a> b", "<a>; =x", "<a>; rel=", "<a>, b",
    ])
    func malformedFieldsAreErrors(value: String) {
        let error = #expect(throws: APIError.self) { try links(value) }
        #expect(error?.code == .pagination)
    }
}
