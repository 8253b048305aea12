import HTTPMessages
import Testing

@Suite("Interceptors") struct InterceptedSessionTests {
    struct Echo: HTTPSession {
        func data(for request: HTTPRequest) async throws -> HTTPResponse {
            HTTPResponse(status: .ok, fields: request.fields, body: request.body?.bytes ?? [])
        }
    }

    struct Marker: HTTPInterceptor {
        let mark: String

        func intercept(
            _ request: HTTPRequest,
            next: @Sendable (HTTPRequest) async throws -> HTTPResponse
        ) async throws -> HTTPResponse {
            var request = request
            try request.fields.append(mark, for: "Out")
            var response = try await next(request)
            try response.fields.append(mark, for: "In")
            return response
        }
    }

    struct Refusing: HTTPInterceptor {
        struct Refusal: Error {}

        func intercept(
            _ request: HTTPRequest,
            next: @Sendable (HTTPRequest) async throws -> HTTPResponse
        ) async throws -> HTTPResponse {
            throw Refusal()
        }
    }

    @Test func theFirstIsOutermost() async throws {
        let session = InterceptedSession(Echo(), interceptors: [Marker(mark: "a"), Marker(mark: "b")])
        let response = try await session.data(from: "https://example.com/")
        #expect(response.fields["Out"] == "a, b")
        #expect(response.fields["In"] == "b, a")
    }

    @Test func anErrorArrivesUnwrapped() async throws {
        let session = InterceptedSession(Echo(), interceptors: [Marker(mark: "a"), Refusing()])
        await #expect(throws: Refusing.Refusal.self) { try await session.data(from: "https://example.com/") }
    }

    @Test func uploadReplacesTheBody() async throws {
        let request = try HTTPRequest(method: .put, url: "https://example.com/", body: HTTPBody("old"))
        let response = try await InterceptedSession(Echo(), interceptors: []).upload(
            for: request,
            from: [1, 2]
        )
        #expect(response.body == [1, 2])
    }

    @Test func aBadURLIsRefusedBeforeAnythingIsSent() async throws {
        await #expect(throws: HTTPMessageError.self) { try await Echo().data(from: "https://a b/") }
    }
}
