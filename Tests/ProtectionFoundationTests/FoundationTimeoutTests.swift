import Foundation
import FoundationNetworking
import HTTPMessages
import HTTPTransport
import Protection
import ProtectionFoundation
import TestSupport
import Testing

@Suite("Foundation session: the limit of a request", .timeLimit(.minutes(1)))
struct FoundationTimeoutTests {
    private func session() throws -> FoundationSession {
        let transport = try CurlSession(configuration: .init(timeout: .seconds(30)))
        return FoundationSession(ProtectedSession(service: ProtectionService(), transport: transport))
    }

    private func request(to server: RawServer, within seconds: TimeInterval) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: server.url)))
        request.timeoutInterval = seconds
        return request
    }

    /// Each piece is sent when the one before has arrived, for longer than the limit.
    @Test func anExchangeMayOutlastTheLimit() async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", end: .keep)
        let start = ContinuousClock.now
        let (content, _) = try await session().bytes(for: request(to: server, within: 0.5))
        var pieces = content.makeAsyncIterator()
        while ContinuousClock.now - start < .seconds(1) {
            server.push("1\r\nx\r\n")
            #expect(try await pieces.next() == Array("x".utf8))
        }
        server.push("0\r\n\r\n")
        #expect(try await pieces.next() == nil)
    }

    @Test func contentThatStopsEndsTheExchange() async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nxxx", end: .keep)
        let error = await #expect(throws: TransportError.self) {
            try await session().data(for: request(to: server, within: 0.5))
        }
        #expect(error?.code == .timedOut && error?.phase == .receiving)
    }

    @Test func aServerThatIsSilentEndsTheExchange() async throws {
        let server = RawServer("", end: .keep)
        let error = await #expect(throws: TransportError.self) {
            try await session().data(for: request(to: server, within: 0.5))
        }
        #expect(error?.code == .timedOut && error?.phase == .waiting)
    }
}
