import APIClient
import HTTPMessages
import Testing

/// What prints or dumps a value of a call sees no secret.
@Suite("Secrets of calls") struct SecrecyTests {
    private static let secret = "SECRET-0123456789"

    static func values() throws -> [any CustomReflectable & CustomStringConvertible & Sendable] {
        var configuration = API.Configuration(baseURL: "https://api.example.com")
        configuration.baseHeaders = ["Authorization": secret]
        let item = QueryItem("token", secret)
        let request = APIRequest(.get, "/", queryItems: [item], headers: ["Authorization": secret])
        let problem =
            #"{"type":"about:blank","title":"\#(secret)","detail":"\#(secret)","more":"\#(secret)"}"#
        var form = MultipartForm()
        form.append(secret, name: "token")
        return [
            configuration, try API(configuration), request, item, form,
            APIEndpoint(path: "/?token=\(secret)"),
            try #require(ProblemDetails(parsing: Array(problem.utf8))),
        ]
    }

    @Test(arguments: 0..<7) func noSecretIsShown(index: Int) throws {
        let value = try Self.values()[index]
        var text = "\(value) \(String(reflecting: value))"
        dump(value, to: &text)
        dump([value], to: &text)
        #expect(!text.contains(Self.secret))
        #expect(Mirror(reflecting: value).children.isEmpty)
    }

    /// Nor does what is dumped of an answer with an error.
    @Test func noContentOfAnErrorIsShown() async throws {
        let backend = try Backend { _ in try .json(#""\#(Self.secret)""#, 400, [(.setCookie, Self.secret)]) }
        let api = try backend.api()
        let error = await #expect(throws: APIError.self) { let _: String = try await api.get("/") }
        let status = try #require(error?.status)
        var text = ""
        dump(status, to: &text)
        dump(error?.status, to: &text)
        #expect(!status.body.isEmpty && !text.contains("\(status.body[0])") && !text.contains(Self.secret))
    }
}
