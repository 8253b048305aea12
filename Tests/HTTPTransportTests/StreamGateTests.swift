import HTTPMessages
import HTTPServing
import HTTPTransport
import TestSupport
import Testing

/// Lets nobody through before all are there.
private actor Barrier {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { missing = count }

    func pass() async {
        missing -= 1
        guard missing > 0 else {
            waiting.forEach { $0.resume() }
            waiting = []
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }
}

@Suite("A server that might speak HTTP/2", .timeLimit(.minutes(1))) struct StreamGateTests {
    @Test func requestsToAServerOfTheOlderProtocolRunSideBySide() async throws {
        let authority = try CertificateAuthority.shared
        let barrier = Barrier(20)
        let server = try HTTPServer(configuration: .init(tls: authority.tls("good"))) { _ in
            await barrier.pass()
            return HTTPResponse(status: .ok)
        }
        let session = try CurlSession(
            configuration: .init(trustRoots: .file(authority.folder["root.pem"]))
        )
        try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            for _ in 0..<20 { group.addTask { try await session.data(from: server.url) } }
            for try await response in group { #expect(response.metrics?.protocolName == "HTTP/1.1") }
        }
    }
}
