import HTTPInterceptors
import HTTPMessages
import Testing

@Suite("Bearer tokens") struct BearerAuthTests {
    private func sent(_ request: HTTPRequest, token: String? = "t0ken") async throws -> HTTPRequest? {
        let hosts = [
            try HostPattern("api.example.com"), try HostPattern("*.shop.example"),
            try HostPattern("localhost"),
        ]
        let session = FakeSession(200)
        _ = try await session.data(
            for: request,
            interceptors: [BearerAuthInterceptor(hosts: hosts, token: { token })]
        )
        return session.requests.first
    }

    @Test(arguments: [
        ("https://api.example.com/", true), ("https://API.example.com:8443/x", true),
        ("https://eu.shop.example/", true),
        ("http://localhost:8080/", true), ("http://api.example.com/", false), ("https://example.com/", false),
        ("https://shop.example/", false), ("https://a.b.shop.example/", false),
        ("https://api.example.com.evil.example/", false),
        ("http://127.0.0.1/", false), ("https://127.0.0.1/", false),
    ]) func itGoesToListedHostsUnread(url: String, isAdded: Bool) async throws {
        let request = try await sent(try HTTPRequest(url: url))
        #expect(request?.fields[.authorization] == (isAdded ? "Bearer t0ken" : nil))
    }

    @Test func nothingIsOverwritten() async throws {
        var request = try HTTPRequest(url: "https://api.example.com/")
        try request.fields.set("Basic eA==", for: "authorization")
        #expect(try await sent(request)?.fields[values: .authorization] == ["Basic eA=="])
    }

    @Test func withoutATokenTheRequestGoesAsItIs() async throws {
        let request = try HTTPRequest(url: "https://api.example.com/")
        #expect(try await sent(request, token: nil) == request)
    }

    @Test(arguments: ["a", "aZ09-._~+/", "abc=", "abc=="]) func aTokenOfTheStandardIsSent(
        token: String
    ) async throws {
        let request = try HTTPRequest(url: "https://api.example.com/")
        #expect(try await sent(request, token: token)?.fields[.authorization] == "Bearer \(token)")
    }

    @Test(arguments: [
        "", "=", "==", "s3cret x", "s3cret\r\nX: y", "s3cret,", "a=s3cret", "s3crét", "\"s3cret\"", " s3cret",
    ])
    func anythingElseIsRefusedAndNotShown(token: String) async throws {
        let error = try await #require(throws: InterceptorError.self) {
            try await sent(try HTTPRequest(url: "https://api.example.com/"), token: token)
        }
        #expect(error.code == .invalidCredential && !"\(error)".contains("s3cr"))
    }

    @Test func anErrorOfTheProviderArrivesUnwrappedAndNothingIsSent() async throws {
        let session = FakeSession(200)
        let bearer = BearerAuthInterceptor(
            hosts: [try HostPattern("a")],
            token: { throw FakeError(text: "provider") }
        )
        await #expect(throws: FakeError(text: "provider")) {
            try await session.data(for: try HTTPRequest(url: "https://a/"), interceptors: [bearer])
        }
        #expect(session.requests.isEmpty)
    }
}
