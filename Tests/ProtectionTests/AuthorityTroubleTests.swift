import HTTPMessages
import HTTPServing
import HTTPTransport
import Protection
import ProtectionTesting
import TestSupport
import Testing

/// What becomes of requests while an authority over a network is in trouble.
@Suite("Authority in trouble", .timeLimit(.minutes(1))) struct AuthorityTroubleTests {
    /// Asks an authority over HTTP, with the package's own transport.
    private struct NetworkFetcher: TokenFetcher {
        let session: any HTTPSession
        let url: String

        func fetchToken(_ request: TokenRequest) async -> FetchResult {
            do {
                let response = try await session.data(from: url)
                guard response.status == .ok, let token = response.text else {
                    return FetchResult(
                        status: .noAttestationService,
                        detail: "the authority answered \(response.status)"
                    )
                }
                return FetchResult(status: .success, token: token)
            } catch let error as TransportError where error.isRetryable {
                return FetchResult(status: .noNetwork, detail: "\(error.code)")
            } catch {
                return FetchResult(status: .internalError, detail: "\(type(of: error))")
            }
        }
    }

    private let sink = RecordingLogSink()
    private let backend = RecordingSession()

    /// A session whose tokens come from the given URL.
    private func session(_ url: String, fetchLimit: Duration = .seconds(30)) throws -> ProtectedSession {
        let service = ProtectionService(options: .init(fetchLimit: fetchLimit, prefetches: false))
        service.setLogSink(sink)
        try service.initialize(
            config: TestConfiguration.make().encoded(),
            fetcher: NetworkFetcher(session: try CurlSession(), url: url)
        )
        return ProtectedSession(service: service, transport: backend)
    }

    private func expectNetworkingError(_ session: ProtectedSession, _ reason: String) async throws {
        let error = try await #require(throws: ProtectionError.self) {
            try await session.data(from: "https://example.com/")
        }
        #expect(error.code == .networking && error.message.contains(reason))
        #expect(backend.requests.isEmpty)
        #expect(sink.lines.contains { $0.contains("event=fetchToken") && $0.contains("level=warning") })
    }

    @Test func anAuthorityInGoodHealth() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: .ok, body: Array("token-1".utf8)) }
        _ = try await session(server.url).data(from: "https://example.com/")
        #expect(backend.requests.first?.fields["Protection-Token"] == "token-1")
    }

    @Test func anAuthorityThatIsDown() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: .ok) }
        server.stop()
        try await expectNetworkingError(session(server.url), "NO_NETWORK: connectFailed")
    }

    @Test func anAuthorityThatNeverAnswers() async throws {
        let server = RawServer("", end: .keep)
        try await expectNetworkingError(
            session(server.url, fetchLimit: .milliseconds(100)),
            "POOR_NETWORK: the token fetcher did not answer"
        )
    }

    @Test func anAuthorityThatStopsHalfWay() async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf a tok")
        try await expectNetworkingError(session(server.url), "NO_NETWORK: connectionClosed")
    }

    @Test func anAuthorityThatFails() async throws {
        let server = try HTTPServer { _ in
            HTTPResponse(status: .internalServerError, body: Array("token-1".utf8))
        }
        _ = try await session(server.url).data(from: "https://example.com/")
        let sent = try #require(backend.requests.first)
        #expect(sent.fields.isEmpty)
        #expect(sink.lines.contains { $0.contains("NO_ATTESTATION_SERVICE") && $0.contains("answered 500") })
    }

    @Test func anAuthorityThatAnswersGarbage() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: .ok, body: Array("<html>\r\n</html>".utf8)) }
        let session = try session(server.url)
        let error = try await #require(throws: ProtectionError.self) {
            try await session.data(from: "https://example.com/")
        }
        #expect(error.code == .permanent && error.message.contains("visible ASCII"))
        #expect(backend.requests.isEmpty)
    }
}
