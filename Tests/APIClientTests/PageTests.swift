import APIClient
import FoundationEssentials
import HTTPMessages
import HTTPServing
import Testing

@Suite("Pages", .timeLimit(.minutes(1))) struct PageTests {
    /// Three pages of two numbers, linked in several ways by their path.
    private func backend(
        _ link: @escaping @Sendable (_ page: Int, _ path: String) -> String?
    ) throws -> Backend {
        try Backend { request in
            let page = Self.item("page", of: request).flatMap { Int($0) } ?? 1
            let links = link(page, request.target.path).map { [(HTTPField.Name("Link"), $0)] } ?? []
            return try .json("[\(page * 10),\(page * 10 + 1)]", 200, links)
        }
    }

    private static func item(_ name: String, of request: ServedRequest) -> String? {
        let items = (request.target.query ?? "").split(separator: "&")
        return items.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.utf8.count + 1)) }
    }

    private func all(_ api: API, rules: PageRules = PageRules()) async throws -> [[Int]] {
        var pages: [[Int]] = []
        for try await page in api.pages(of: [Int].self, from: APIRequest(.get, "/list"), rules: rules) {
            pages.append(page)
        }
        return pages
    }

    private func failure(_ api: API, rules: PageRules = PageRules()) async throws -> APIError {
        let error = try #require(await #expect(throws: APIError.self) { try await all(api, rules: rules) })
        #expect(error.code == .pagination)
        return error
    }

    @Test(arguments: ["?page=", "/list?page=", "list?page=", "./x/../list?page="])
    func linksLeadFromPageToPage(prefix: String) async throws {
        let backend = try backend { page, _ in
            page < 3 ? #"<\#(prefix)\#(page + 1)>; rel="next last", </>; rel=prev"# : #"</>; rel="first""#
        }
        let api = try backend.api { $0.baseHeaders = ["Authorization": "Bearer x"] }
        #expect(try await all(api) == [[10, 11], [20, 21], [30, 31]])
        #expect(backend.requests.allSatisfy { $0.fields[.authorization] == "Bearer x" })
        var elements: [Int] = []
        for try await number in api.pages(of: [Int].self, from: APIRequest(.get, "/list")).elements {
            elements.append(number)
        }
        #expect(elements == [10, 11, 20, 21, 30, 31])
    }

    @Test(arguments: [false, true]) func linksAreReadWhereTheAnswerCameFrom(isCached: Bool) async throws {
        let backend = try Backend { request in
            switch request.rawTarget {
            case "/list":
                return HTTPResponse(
                    status: try HTTPStatus(307),
                    fields: HTTPFields([try HTTPField(.location, "/v2/shapes/first")])
                )
            case "/v2/shapes/first":
                let tag = request.fields["If-None-Match"]
                return try .json(
                    tag == nil ? "[1]" : "",
                    tag == nil ? 200 : 304,
                    [("Link", "<second>; rel=next"), ("ETag", #""v1""#)]
                )
            case "/v2/shapes/second": return try .json("[2]", 200, [("ETag", #""v2""#)])
            default: return HTTPResponse(status: .notFound)
            }
        }
        let api = try backend.api { $0.cache = isCached ? ResponseCache() : nil }
        for _ in 0..<2 { #expect(try await all(api) == [[1], [2]]) }
    }

    @Test func queryItemsOfTheFirstCallAreNotRepeated() async throws {
        let backend = try backend { page, _ in page < 2 ? "</list?size=5&page=\(page + 1)>; rel=next" : nil }
        let api = try backend.api()
        let request = APIRequest(.get, "/list", queryItems: [QueryItem("size", "5")])
        for try await _ in api.pages(of: [Int].self, from: request) {}
        #expect(backend.requests.map(\.rawTarget) == ["/list?size=5", "/list?size=5&page=2"])
    }

    @Test func pagesAreAskedForWhenTheyAreWanted() async throws {
        let backend = try backend { page, _ in "<?page=\(page + 1)>; rel=next" }
        let pages = try backend.api().pages(of: [Int].self, from: APIRequest(.get, "/list"))
        var elements = pages.elements.makeAsyncIterator()
        #expect(try await elements.next() == 10)
        #expect(try await elements.next() == 11)
        #expect(backend.requests.count == 1)
        #expect(try await elements.next() == 20)
        #expect(backend.requests.count == 2)
    }

    @Test func aLoopIsAnError() async throws {
        let backend = try backend { page, _ in "<?page=\(page == 3 ? 2 : page + 1)>; rel=next" }
        #expect(try await failure(backend.api()).message == "the pages form a loop")
        #expect(backend.requests.count == 3)
    }

    @Test func tooManyPagesAreAnError() async throws {
        let backend = try backend { page, _ in "<?page=\(page + 1)>; rel=next" }
        #expect(
            try await failure(backend.api(), rules: PageRules(maximumCount: 2)).message
                == "there are more than 2 pages"
        )
        #expect(backend.requests.count == 2)
    }

    @Test func anotherOriginMustBeAllowed() async throws {
        let other = try backend { _, _ in nil }
        let target = other.url + "/list?page=2"
        let backend = try backend { page, _ in page == 1 ? "<\(target)>; rel=next" : nil }
        let api = try backend.api()
        #expect(try await failure(api).message == "the next page is at another origin")
        #expect(other.requests.isEmpty)
        let rules = PageRules(allowedOrigins: [other.url])
        #expect(try await all(api, rules: rules) == [[10, 11], [20, 21]])
    }

    @Test(arguments: [
        "<http://localhost/x>; rel=next", "<//evil.test/>; rel=next", "<ftp://x/>; rel=next",
        "<a b>; rel=next",
        "<?page=2>; rel=next, <?page=3>; rel=next", "?page=2; rel=next",
    ]) func linksThatCannotBeFollowed(link: String) async throws {
        let backend = try backend { _, _ in link }
        _ = try await failure(backend.api())
        #expect(backend.requests.count == 1)
    }

    @Test(arguments: ["<?page=2>; rel=nextish", #"<?page=2>; rel=next; anchor="/other""#, "<?page=2>"])
    func linksThatAreNotTheNextPage(link: String) async throws {
        let backend = try backend { _, _ in link }
        #expect(try await all(backend.api()) == [[10, 11]])
    }

    @Test func nextPagesMayLieBesideTheBase() async throws {
        let backend = try backend { page, path in path == "/v1/list" ? "</v2/list?page=2>; rel=next" : nil }
        #expect(try await all(API(backend.configuration("/v1"))) == [[10, 11], [20, 21]])
    }

    private struct Page: Decodable, Sendable {
        var items: [Int]
        var next: String?
    }

    private func cursors(_ next: @escaping @Sendable (String) -> String) throws -> Backend {
        try Backend { request in
            let cursor = Self.item("after", of: request) ?? Self.item("cursor", of: request) ?? ""
            return try .json(#"{"items":[\#(cursor.utf8.count)],"next":\#(next(cursor))}"#)
        }
    }

    @Test(arguments: ["null", #""""#]) func cursorsLeadFromPageToPage(end: String) async throws {
        let backend = try cursors { $0.isEmpty ? #""\#($0)/""# : end }
        let api = try backend.api()
        let request = APIRequest(.get, "/list", queryItems: [QueryItem("size", "1")])
        let pages = api.pages(of: Page.self, from: request, parameter: "after", cursor: \.next)
        var numbers: [Int] = []
        for try await number in pages.elements(\.items) { numbers.append(number) }
        #expect(numbers == [0, 3])
        #expect(backend.requests.map(\.rawTarget) == ["/list?size=1", "/list?size=1&after=%2F"])
    }

    @Test func aCursorThatComesBackIsAnError() async throws {
        let backend = try cursors { _ in #""same""# }
        let pages = try backend.api().pages(of: Page.self, from: APIRequest(.get, "/list")) { $0.next }
        let error = await #expect(throws: APIError.self) { for try await _ in pages {} }
        #expect(error?.code == .pagination)
        #expect(backend.requests.count == 2)
    }

    @Test func anErrorEndsThePages() async throws {
        let backend = try Backend { _ in try .json("{}", 500) }
        var pages = try backend.api().pages(of: [Int].self, from: APIRequest(.get, "/")).makeAsyncIterator()
        await #expect(throws: APIError.self) { try await pages.next() }
        #expect(try await pages.next() == nil)
        #expect(backend.requests.count == 1)
    }
}
