import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

@Suite("Response from the wire", .timeLimit(.minutes(1))) struct ResponseFromTheWireTests {
    private func answer(
        _ text: String,
        end: RawServer.End = .close,
        configuration: CurlSession.Configuration = .init()
    ) async throws -> HTTPResponse {
        let server = RawServer(text, end: end)
        return try await CurlSession(configuration: configuration).data(from: server.url)
    }

    @Test func fieldsKeepOrderSpellingAndDuplicates() async throws {
        let response = try await answer(
            "HTTP/1.1 200 Fine\r\nx-B:1\r\nX-a: \t2 \r\nset-cookie: a=b\r\nX-Empty:\r\nSet-Cookie: c, d\r\nX-E: \u{E9}\r\n"
                + "Content-Length: 2\r\n\r\nok"
        )
        #expect(
            response.fields.map { "\($0.name)=\($0.value)" } == [
                "x-B=1", "X-a=2", "set-cookie=a=b", "X-Empty=", "Set-Cookie=c, d", "X-E=é",
                "Content-Length=2",
            ]
        )
        #expect(response.fields[5].bytes == [0xE9] && response.text == "ok")
    }

    @Test(arguments: [
        // Until the end of the connection.
        "HTTP/1.1 200 OK\r\n\r\nhello", "HTTP/1.0 200 OK\r\n\r\nhello", "HTTP/1.1 200\r\n\r\nhello",
        "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
        // Chunked, with extensions and trailer fields.
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n1;a=b\r\nh\r\n4\r\nello\r\n0\r\nX-Trailer: a\r\n\r\n",
        // After informational responses.
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 103 Early Hints\r\nX-Trailer: a\r\n\r\nHTTP/1.1 102 X\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello",
    ])
    func aContentIsReadToItsEnd(text: String) async throws {
        let response = try await answer(text)
        #expect(response.status == .ok && response.text == "hello" && !response.fields.contains("X-Trailer"))
    }

    @Test func aContentCodingIsLeftAlone() async throws {
        let response = try await answer(
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"
        )
        #expect(response.text == "hello" && response.fields["Content-Encoding"] == "gzip")
    }

    @Test(arguments: [
        "garbage\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 20\r\n\r\n", "HTTP/1.1 099 X\r\n\r\n",
        "HTTP/7 200 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "\r\nHTTP/1.1 200 OK\r\n\r\n", "SSH-2.0-x\r\n",
        "HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: a\u{1}\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX : a\r\n\r\n", "HTTP/1.1 200 OK\r\nnothing\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: a\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n", "HTTP/1.1 200 OK\r\n folded\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\na", "HTTP/1.1 200 OK\r\nContent-Length: a\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999999\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nhello",
    ])
    func whatIsNotHTTPIsRefused(text: String) async throws {
        let error = try await #require(throws: TransportError.self) { try await answer(text) }
        #expect(error.code == .malformedResponse && error.host == "127.0.0.1")
        #expect(!error.isRetryable)
    }

    @Test(arguments: [
        ("", "connectionClosed"), ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", "connectionClosed"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "connectionClosed"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", "connectionClosed"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello", "connectionFailed"),
        ("HTTP/1.1 100 Continue\r\n\r\n", "connectionClosed"),
        ("HTTP/1.1 200 OK\r\nX: a", "connectionClosed"),
        ("HTTP/1.1 200 O", "connectionClosed"),
    ])
    func aPartOfAResponseIsNone(text: String, code: String) async throws {
        let error = try await #require(throws: TransportError.self) { try await answer(text) }
        #expect(error.code.description == code && error.isRetryable, "\(error)")
    }

    @Test func aResetIsAFailure() async throws {
        let error = try await #require(throws: TransportError.self) { try await answer("", end: .reset) }
        #expect(error.code == .connectionFailed && error.phase == .waiting)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n12345678901",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n123456\r\n5\r\n78901\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\n" + String(repeating: "X: a\r\n", count: 11) + "\r\n",
        "HTTP/1.1 200 OK\r\n" + String(repeating: "X: a\r\n", count: 10_000) + "\r\n",
        "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 1000) + "\r\n\r\n",
        String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 100),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
            + String(repeating: "X: a\r\n", count: 11) + "\r\n",
    ])
    func aResponseHasLimits(text: String) async throws {
        let configuration = CurlSession.Configuration(
            maximumResponseSize: 10,
            maximumHeadSize: 1000,
            maximumFieldCount: 10
        )
        let error = try await #require(throws: TransportError.self) {
            try await answer(text, configuration: configuration)
        }
        #expect(error.code == .responseTooLarge, "\(error)")
    }

    @Test func aResponseAtItsLimitsIsTaken() async throws {
        let configuration = CurlSession.Configuration(
            maximumResponseSize: 10,
            maximumHeadSize: 38,
            maximumFieldCount: 1
        )
        let response = try await answer(
            "HTTP/1.1 200 OK\r\nContent-Length:10\r\n\r\n0123456789",
            configuration: configuration
        )
        #expect(response.text == "0123456789")
    }

    @Test func aLengthWithoutContentIsNotLimited() async throws {
        let response = try await answer(
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 1000000\r\n\r\n",
            configuration: .init(maximumResponseSize: 10)
        )
        #expect(response.status.code == 304 && response.body.isEmpty)
    }
}
