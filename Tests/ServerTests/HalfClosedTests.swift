import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

/// Connections over TLS that end in one direction, or at one layer, only.
///
/// The server never closes TCP as a whole, so an exchange that waits for that runs into its time.
@Suite("Half-closed TLS", .timeLimit(.minutes(1))) struct HalfClosedTests {
    /// What is there of the response when the server ends.
    enum Part: CaseIterable, Sendable {
        case nothing, withinHead, halfOfLength, withinChunk, betweenChunks, withoutLength, whole

        var answer: String {
            let head = "HTTP/1.1 200 OK\r\n"
            let chunks = head + "Transfer-Encoding: chunked\r\n\r\n"
            return switch self {
            case .nothing: ""
            case .withinHead: head + "X: "
            case .halfOfLength: head + "Content-Length: 10\r\n\r\nhello"
            case .withinChunk: chunks + "a\r\nhello"
            case .betweenChunks: chunks + "5\r\nhello\r\n"
            case .withoutLength: head + "\r\nhello"
            case .whole: head + "Content-Length: 5\r\n\r\nhello"
            }
        }

        /// Without a length only the end of TLS tells that the content is whole (RFC 9112, section 9.8).
        func isWhole(after end: ScriptedServer.End) -> Bool {
            self == .whole || self == .withoutLength && end == .notify
        }
    }

    private func expect(isWhole: Bool, from server: ScriptedServer) async throws {
        let session = try makeSession { $0.timeout = .seconds(20) }
        if isWhole {
            let response = try await session.data(from: server.url)
            #expect(response.text == "hello" && response.metrics?.isConnectionReused == false)
            let (_, stream) = try await session.bytes(for: HTTPRequest(url: server.url))
            #expect(try await stream.collect(upTo: 100) == Array("hello".utf8))
            // Over a connection of its own each time: the ended one takes no more requests.
            #expect(try await session.data(from: server.url).metrics?.isConnectionReused == false)
            return
        }
        let error = try await refusal(of: server.url, by: session)
        #expect(error.code == .connectionClosed && error.isRetryable, "\(error)")
        let streamed = await #expect(throws: TransportError.self) {
            let (_, stream) = try await session.bytes(for: HTTPRequest(url: server.url))
            _ = try await stream.collect(upTo: 100)
        }
        #expect(streamed?.code == .connectionClosed, "\(String(describing: streamed))")
    }

    @Test(arguments: Part.allCases, [ScriptedServer.End.notify, .shut])
    func whatIsCutIsAnError(part: Part, end: ScriptedServer.End) async throws {
        let records = part.answer.isEmpty ? [] : [Array(part.answer.utf8)]
        let server = try await ScriptedServer(records, end: end)
        try await expect(isWhole: part.isWhole(after: end), from: server)
    }

    /// The head and a piece of the content, without the end of the stream.
    @Test(arguments: [true, false], [ScriptedServer.End.notify, .shut])
    func aStreamThatIsCutIsAnError(hasLength: Bool, end: ScriptedServer.End) async throws {
        let fields = hasLength ? [("content-length", "10")] : []
        let answer = HTTP2Frame.settings + HTTP2Frame.head(fields) + HTTP2Frame.data("hello", isEnd: false)
        let server = try await ScriptedServer([answer], protocolName: "h2", end: end)
        try await expect(isWhole: false, from: server)
    }
}
