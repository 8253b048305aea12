import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

@Suite("Answers over TLS that no well-kept server gives", .timeLimit(.minutes(1)))
struct ScriptedAnswerTests {
    private static let stray = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"

    /// What comes with a response and is none of it must not be taken for the next one (RFC 9112, section 9.2).
    @Test(arguments: [
        ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", stray],
        ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "ok" + stray],
        ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" + stray],
        ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", stray],
    ])
    func whatComesUnaskedIsNoResponse(_ records: [String]) async throws {
        let server = try await ScriptedServer(records.map { Array($0.utf8) })
        let session = try makeSession()
        for _ in 0..<2 {
            let response = try await session.data(from: server.url)
            #expect(response.text == "ok" && response.metrics?.isConnectionReused == false)
        }
    }

    private static func answer(announced: Int, _ content: String, trailers: Bool) -> [UInt8] {
        HTTP2Frame.settings + HTTP2Frame.head([("content-length", "\(announced)")])
            + HTTP2Frame.data(content, isEnd: !trailers)
            + (trailers ? HTTP2Frame.head([("x-sum", "6")], isTrailer: true) : [])
    }

    @Test(arguments: [true, false])
    func theAnnouncedLengthIsThatOfTheContent(_ hasTrailers: Bool) async throws {
        let records = [Self.answer(announced: 5, "hello", trailers: hasTrailers)]
        let server = try await ScriptedServer(records, protocolName: "h2")
        let progress = HTTPProgress()
        var request = try HTTPRequest(url: server.url)
        request.options.progress = progress
        request.options.acceptsTrailers = hasTrailers
        let response = try await makeSession().data(for: request)
        #expect(response.metrics?.protocolName == "HTTP/2" && response.text == "hello")
        #expect(response.trailers["x-sum"] == (hasTrailers ? "6" : nil))
        var last: HTTPProgress.State?
        for await state in progress.states { last = state }
        #expect(last?.received == 5 && last?.expected == 5)
    }

    /// INTERNAL_ERROR, CANCEL and ENHANCE_YOUR_CALM, before the head, after it, and within the content.
    @Test(arguments: [2, 8, 11] as [UInt8], 0...2)
    func aStreamThatTheServerResetsIsAnError(reason: UInt8, after count: Int) async throws {
        let parts = [
            HTTP2Frame.settings, HTTP2Frame.head([("content-length", "10")]),
            HTTP2Frame.data("hello", isEnd: false),
        ]
        let answer = parts.prefix(count + 1).flatMap(\.self) + HTTP2Frame.reset(reason)
        let server = try await ScriptedServer([answer], protocolName: "h2")
        let error = try await refusal(of: server.url, by: makeSession())
        #expect(error.code == .connectionFailed, "\(error)")
    }

    @Test(arguments: [true, false], [4, 6, 0])
    func anotherLengthThanAnnouncedIsRefused(_ hasTrailers: Bool, _ announced: Int) async throws {
        let records = [Self.answer(announced: announced, "hello", trailers: hasTrailers)]
        let server = try await ScriptedServer(records, protocolName: "h2")
        let error = try await refusal(of: server.url, by: makeSession())
        #expect(error.code == .connectionFailed, "\(error)")
    }
}
