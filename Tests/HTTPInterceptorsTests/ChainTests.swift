import HTTPInterceptors
import HTTPMessages
import Testing

/// The interceptors together, in the order that their documentation gives.
@Suite("Chain") struct ChainTests {
    /// Stands for the protection: a new signature for each request that passes.
    private struct Signing: HTTPInterceptor {
        let signatures = Counter()

        func intercept(
            _ request: HTTPRequest,
            next: @Sendable (HTTPRequest) async throws -> HTTPResponse
        ) async throws -> HTTPResponse {
            var request = request
            #expect(!request.fields.contains("Signature"))
            try request.fields.append("\(signatures.next())", for: "Signature")
            return try await next(request)
        }
    }

    @Test func eachAttemptAndEachHopIsSignedAfresh() async throws {
        let time = FakeTime()
        let session = FakeSession { request, number in
            switch number {
            case 0, 2: HTTPResponse(status: .serviceUnavailable)
            case 1:
                HTTPResponse(
                    status: try HTTPStatus(302),
                    fields: HTTPFields([try HTTPField(.location, "https://b.example/x")])
                )
            case 3: HTTPResponse(status: .unauthorized)
            default: HTTPResponse(status: .ok, body: Array(request.target.host.utf8))
            }
        }
        let credential = RefreshableCredential("old") { _ in "new" }
        let protected = InterceptedSession(session, interceptors: [Signing()])
        let response = try await protected.data(
            for: try HTTPRequest(url: "https://a.example/"),
            interceptors: [
                RedirectInterceptor(), RetryInterceptor(time: time.source),
                ConnectivityInterceptor(monitor: ReportedConnectivity(), time: time.source),
                TokenRefreshInterceptor(hosts: [try HostPattern("b.example")], credential: credential),
            ]
        )
        #expect(response.text == "b.example")
        #expect(session.requests.map { $0.fields["Signature"] } == ["1", "2", "3", "4", "5"])
        #expect(
            session.requests.map { $0.fields[.authorization] } == [
                nil, nil, "Bearer old", "Bearer old", "Bearer new",
            ]
        )
    }

    @Test func interceptorsOfOneRequestStandOutsideThoseOfTheSession() async throws {
        struct Mark: HTTPInterceptor {
            let mark: String

            func intercept(
                _ request: HTTPRequest,
                next: @Sendable (HTTPRequest) async throws -> HTTPResponse
            ) async throws -> HTTPResponse {
                var request = request
                try request.fields.append(mark, for: "Mark")
                return try await next(request)
            }
        }
        let session = FakeSession(200)
        let intercepted = InterceptedSession(session, interceptors: [Mark(mark: "c")])
        let request = try HTTPRequest(url: "https://a.example/")
        _ = try await intercepted.data(for: request, interceptors: [Mark(mark: "a"), Mark(mark: "b")])
        _ = try await intercepted.data(for: request, interceptors: [])
        #expect(session.requests.map { $0.fields["Mark"] } == ["a, b, c", "c"])
    }
}
