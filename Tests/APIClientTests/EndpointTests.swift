import APIClient
import HTTPMessages
import HTTPTransport
import Testing

@Suite("Endpoints", .timeLimit(.minutes(1))) struct EndpointTests {
    /// Shows the URL that a call would go to.
    private struct Loopback: HTTPSession {
        func data(for request: HTTPRequest) async throws -> HTTPResponse {
            HTTPResponse(status: .ok, body: Array(request.target.absoluteString.utf8))
        }
    }

    private func url(
        _ endpoint: APIEndpoint,
        base: String? = "https://api.test/v1"
    ) async throws(APIError) -> String {
        let api = try API(API.Configuration(baseURL: base), session: Loopback())
        return try await api.perform(APIRequest(.get, endpoint)).response.text ?? ""
    }

    @Test(arguments: [
        ("/shapes", "https://api.test/v1/shapes"),
        ("shapes", "https://api.test/v1/shapes"),
        ("", "https://api.test/v1"),
        ("?a=b", "https://api.test/v1?a=b"),
        ("/", "https://api.test/v1/"),
        ("/a%20b/c:d?x=..", "https://api.test/v1/a%20b/c:d?x=.."),
        ("/.well-known/a..b", "https://api.test/v1/.well-known/a..b"),
        ("https://api.test/v1/shapes", "https://api.test/v1/shapes"),
        ("https://API.test:443/v1", "https://API.test:443/v1"),
    ]) func pathsAreJoinedToTheBase(path: String, expected: String) async throws {
        #expect(try await url(APIEndpoint(path: path)) == expected)
        // A base with a slash at its end means the same.
        if path.hasPrefix("/") {
            #expect(try await url(APIEndpoint(path: path), base: "https://api.test/v1/") == expected)
        }
    }

    @Test(arguments: [
        "//evil.test/x", "///x", "https://evil.test/v1/x", "http://api.test/v1/x",
        "https://api.test:8443/v1/x",
        "https://api.test/v10", "https://api.test/", "https://api.test/v1/../admin", "/../admin", "..",
        "/a/./b",
        "/a/%2e%2E/b", "/a/.%2e", "/..%2fadmin", "/..%5Cadmin", "\\\\evil.test", "/a\\..\\b", "ftp://x/y",
        "javascript:alert(1)", "/a b", "/a#b", "/%zz", "/é", "/a\r\nHost: b", "/%", "user:pw@host",
        "https://user@api.test/v1/x",
    ]) func whatWouldLeaveTheBaseOrNeedsRepairIsRefused(path: String) async throws {
        let error = await #expect(throws: APIError.self) { try await url(APIEndpoint(path: path)) }
        #expect(error?.code == .invalidURL)
    }

    @Test(arguments: [
        ("a/b", "a%2Fb"), ("x?y=z#w", "x%3Fy%3Dz%23w"), ("é", "%C3%A9"), ("100%", "100%25"), ("-._~", "-._~"),
    ]) func valuesAreOneComponent(value: String, encoded: String) async throws {
        #expect(try await url("/shapes/\(value)/sides") == "https://api.test/v1/shapes/\(encoded)/sides")
        #expect(try await url("/find?q=\(value)") == "https://api.test/v1/find?q=\(encoded)")
        #expect(
            try await url(APIEndpoint(components: ["shapes", value]))
                == "https://api.test/v1/shapes/\(encoded)"
        )
    }

    @Test(arguments: ["", ".", "..", "../x", "..\\x"]) func valuesThatAreNoComponentAreRefused(
        value: String
    ) async {
        for endpoint: APIEndpoint in ["/shapes/\(value)", APIEndpoint(components: ["shapes", value])] {
            let error = await #expect(throws: APIError.self) { try await url(endpoint) }
            #expect(error?.code == .invalidURL)
        }
    }

    @Test func withoutABaseURLsMustBeWhole() async throws {
        #expect(try await url("https://other.test/x", base: nil) == "https://other.test/x")
        let error = await #expect(throws: APIError.self) { try await url("/x", base: nil) }
        #expect(error?.code == .invalidURL)
    }

    @Test(arguments: ["/relative", "https://a/b?c", "https://a/../b", "ftp://a/", ""])
    func aBaseThatIsNoneIsRefused(base: String) {
        let error = #expect(throws: APIError.self) {
            try API(API.Configuration(baseURL: base), session: Loopback())
        }
        #expect(error?.code == .invalidURL)
    }

    @Test func noDescriptionShowsASecret() throws {
        var request = APIRequest(.get, "/x?token=secret", queryItems: [QueryItem("key", "secret")])
        request.headers = ["Authorization": "secret"]
        var configuration = API.Configuration(baseURL: "https://api.test/v1")
        configuration.baseHeaders = ["Authorization": "secret"]
        var form = MultipartForm()
        form.append("secret", name: "x")
        let problem = ProblemDetails(parsing: Array(#"{"title":"secret","status":400}"#.utf8))
        let texts = [
            "\(request)", "\(configuration)", "\(form)", "\(request.queryItems)",
            "\(try #require(problem))", "\(try API(configuration, session: Loopback()))",
        ]
        #expect(
            texts == [
                "GET /x", "API.Configuration, 1 base headers", "form of 1 parts", "[key=<6 octets>]",
                "problem details, status 400", "API(https://api.test/v1)",
            ]
        )
    }

    @Test func settingsAreChecked() {
        for change: (inout API.Configuration) -> Void in [
            { $0.timeout = .zero }, { $0.errorBodyLimit = -1 }, { $0.transport.maximumHeadSize = -1 },
        ] {
            var configuration = API.Configuration()
            change(&configuration)
            #expect(throws: APIError.self) { try API(configuration) }
        }
    }
}
