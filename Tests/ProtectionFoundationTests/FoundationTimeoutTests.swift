import Foundation
import FoundationNetworking
import HTTPTransport
import Protection
import ProtectionFoundation
import TestSupport
import Testing

@Suite("Foundation session: the limit of a request", .timeLimit(.minutes(1)))
struct FoundationTimeoutTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n"

    private func data(
        from server: RawServer,
        within seconds: TimeInterval
    ) async throws -> Data {
        let transport = try CurlSession(configuration: .init(timeout: .seconds(30)))
        let session = FoundationSession(ProtectedSession(service: ProtectionService(), transport: transport))
        var request = URLRequest(url: try #require(URL(string: server.url)))
        request.timeoutInterval = seconds
        return try await session.data(for: request).0
    }

    @Test func whatComesSlowlyComesWhole() async throws {
        let server = RawServer(Self.head, end: .keep)
        async let content = data(from: server, within: 1.5)
        // The head is there as soon as the request is.
        while server.received.isEmpty { await Task.yield() }
        for _ in 0..<8 {
            try await Task.sleep(for: .milliseconds(200))
            server.push("x")
        }
        #expect(try await content == Data("xxxxxxxx".utf8))
    }

    @Test func contentThatStopsEndsTheExchange() async throws {
        let server = RawServer(Self.head + "xxx", end: .keep)
        let error = await #expect(throws: TransportError.self) {
            try await data(from: server, within: 0.5)
        }
        #expect(error?.code == .timedOut && error?.phase == .receiving)
    }

    @Test func aServerThatIsSilentEndsTheExchange() async throws {
        let server = RawServer("", end: .keep)
        let error = await #expect(throws: TransportError.self) {
            try await data(from: server, within: 0.5)
        }
        #expect(error?.code == .timedOut && error?.phase == .waiting)
    }
}
