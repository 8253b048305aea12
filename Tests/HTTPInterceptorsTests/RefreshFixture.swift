import HTTPInterceptors
import HTTPMessages

/// What the tests of token refresh share.
enum RefreshFixture {
    /// Takes one token and answers 401 to all others.
    static func server(taking token: String) -> FakeSession {
        FakeSession { request, _ in
            HTTPResponse(status: request.fields[.authorization] == "Bearer \(token)" ? .ok : .unauthorized)
        }
    }

    static func interceptor(_ credential: RefreshableCredential) throws -> TokenRefreshInterceptor {
        TokenRefreshInterceptor(hosts: [try HostPattern("a.example")], credential: credential)
    }

    static func get() throws -> HTTPRequest { try HTTPRequest(url: "https://a.example/") }
}
