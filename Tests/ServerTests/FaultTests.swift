import Glibc
import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

@Suite("Faults", .timeLimit(.minutes(2))) struct FaultTests {
    /// Where the server breaks off.
    enum Stage: CaseIterable, Sendable {
        case accepted, requested, withinHead, beforeContent, withinContent, withinChunk

        var answer: String {
            switch self {
            case .accepted, .requested: ""
            case .withinHead: "HTTP/1.1 200 OK\r\nX: "
            case .beforeContent: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
            case .withinContent: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"
            case .withinChunk: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc"
            }
        }
    }

    private static func isBroken(_ error: TransportError?) -> Bool {
        error.map { [.connectionClosed, .connectionFailed].contains($0.code) && $0.isRetryable } ?? false
    }

    @Test(arguments: Stage.allCases, [RawServer.End.close, .reset])
    func aServerThatBreaksOffIsAnError(stage: Stage, end: RawServer.End) async throws {
        let server = RawServer(stage.answer, end: end, reads: stage != .accepted)
        let session = try makeSession()
        // Octets that nobody has read turn a close into a reset, which can even overtake the news that the connection stands.
        let codes: [TransportError.Code] =
            switch (stage, end) {
            case (.accepted, .reset): [.connectionFailed, .connectFailed]
            case (.accepted, _): [.connectionClosed, .connectionFailed]
            case (_, .reset): [.connectionFailed]
            default: [.connectionClosed]
            }
        let error = try await refusal(of: server.url + "/", by: session)
        #expect(codes.contains(error.code) && error.isRetryable, "\(error)")
        let upload = try HTTPRequest(method: .post, url: server.url, body: HTTPBody("content"))
        let second = try await #require(throws: TransportError.self) { try await session.data(for: upload) }
        #expect(codes.contains(second.code) && second.isRetryable, "\(second)")
        let third = try await #require(throws: TransportError.self) {
            let (_, stream) = try await session.bytes(for: HTTPRequest(url: server.url))
            _ = try await stream.collect(upTo: 100)
        }
        #expect(codes.contains(third.code) && third.isRetryable, "\(third)")
        // Each was tried once.
        #expect(server.connections == 3)
    }

    @Test(
        .enabled(if: NginxDaemon.isPresent, Comment(rawValue: NginxDaemon.absence)),
        arguments: [Relay.End.close, .reset],
        [true, false]
    )
    func tlsThatBreaksOffAnywhereIsAnError(end: Relay.End, allowsHTTP2: Bool) async throws {
        let server = try await Nginx()
        let content = pattern(50_000)
        try server.write("file", content)
        let session = try makeSession { $0.allowsHTTP2 = allowsHTTP2 }
        // Through the hello, the certificate, the tickets, the head and into the content.
        for limit in [0, 1, 4, 5, 50] + Array(stride(from: 100, through: 4_000, by: 130)) + [20_000, 50_000] {
            let relay = Relay(to: server.port, cutAfter: limit, by: end)
            let error = try await refusal(of: "https://127.0.0.1:\(relay.port)/file", by: session)
            // A reset can come before this side has seen that the connection was taken.
            let isEarly = end == .reset && error.code == .connectFailed && error.phase == .connecting
            #expect(
                isEarly || [.connectionClosed, .connectionFailed].contains(error.code) && error.isRetryable,
                "\(limit): \(error)"
            )
            if limit <= 100 { #expect(isEarly || error.phase == .securing, "\(limit): \(error)") }
        }
        #expect(try await session.data(from: server.url + "/file").body == content)
    }

    @Test(arguments: [64 << 10, 90_000, 200_000, 1 << 20])
    func aLongFieldHasItsLimit(length: Int) async throws {
        let field = "X: \(String(repeating: "a", count: length))"
        let server = RawServer("HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 2\r\n\r\nok")
        let error = try await refusal(of: server.url + "/", by: makeSession())
        #expect(error.code == .responseTooLarge, "\(error)")
        let session = try makeSession { $0.maximumHeadSize = 256 << 10 }
        guard length < 100_000 else {
            // libcurl has a limit of its own.
            let error = try await refusal(of: server.url + "/", by: session)
            #expect(error.code == .responseTooLarge, "\(error)")
            return
        }
        #expect(try await session.data(from: server.url + "/").fields["X"]?.utf8.count == length)
    }

    @Test(arguments: [1, 100]) func manyFieldsHaveTheirLimit(length: Int) async throws {
        let line = "X: \(String(repeating: "a", count: length))\r\n"
        let lines = String(repeating: line, count: 10_000)
        let server = RawServer("HTTP/1.1 200 OK\r\n\(lines)Content-Length: 2\r\n\r\nok")
        let error = try await refusal(of: server.url + "/", by: makeSession())
        #expect(error.code == .responseTooLarge, "\(error)")
        let session = try makeSession {
            $0.maximumHeadSize = 256 << 10
            $0.maximumFieldCount = 20_000
        }
        guard lines.utf8.count < 256 << 10 else {
            let error = try await refusal(of: server.url + "/", by: session)
            #expect(error.code == .responseTooLarge, "\(error)")
            return
        }
        #expect(try await session.data(from: server.url + "/").fields.count == 10_001)
    }

    @Test(
        arguments: [
            ("g\r\nabc", .connectionFailed),
            ("-1\r\nabc", .connectionFailed),
            ("0x3\r\nabc\r\n0\r\n\r\n", .malformedResponse),
            ("\r\nabc", .connectionFailed),
            (" 3\r\nabc\r\n0\r\n\r\n", .connectionFailed),
            ("FFFFFFFFFFFFFFFFF\r\nabc", .connectionFailed),
            ("7FFFFFFFFFFFFFFF\r\nabc", .connectionClosed),
            ("FFFFFFFFFFFFFFFF\r\nabc", .connectionFailed),
            ("3\r\nabcd\r\n0\r\n\r\n", .connectionFailed),
            ("3\r\nabc0\r\n\r\n", .connectionFailed),
            ("2\r\nabc\r\n0\r\n\r\n", .connectionFailed),
            ("+3\r\nabc\r\n0\r\n\r\n", .connectionFailed),
            ("00000000000000000000000000000003\r\nabc\r\n0\r\n\r\n", .connectionFailed),
        ] as [(String, TransportError.Code)]
    )
    func aChunkOfAStrangeSizeIsRefused(content: String, code: TransportError.Code) async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + content)
        let error = try await refusal(of: server.url + "/", by: makeSession())
        #expect(error.code == code, "\(error)")
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
    ])
    func whatComesWithAResponseIsNotTheNextOne(answer: String) async throws {
        let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
        let server = RawServer(answer + evil, end: .keep)
        let session = try makeSession { $0.timeout = .milliseconds(300) }
        for _ in 1...3 {
            // The server answers a connection once: a request that comes over an old one waits in vain.
            do {
                let response = try await session.data(from: server.url + "/")
                #expect(response.text == "ok")
            } catch let error as TransportError {
                #expect(error.code == .timedOut, "\(error)")
            }
        }
    }

    @Test func aServerThatNeverReadsIsNotWaitedForForEver() async throws {
        let server = RawServer("", end: .keep, reads: false)
        let session = try makeSession { $0.timeout = .milliseconds(500) }
        let content = [UInt8](repeating: 1, count: 16 << 20)
        let request = try HTTPRequest(method: .put, url: server.url, body: HTTPBody(content))
        let error = await #expect(throws: TransportError.self) { try await session.data(for: request) }
        #expect(error?.code == .timedOut && error?.phase == .waiting)
        let pieces = AsyncStream(unfolding: { [UInt8](repeating: 1, count: 65_536) })
        let endless = try HTTPRequest(method: .put, url: server.url)
        let second = await #expect(throws: TransportError.self) {
            try await session.upload(for: endless, from: HTTPBodyStream(pieces))
        }
        #expect(second?.code == .timedOut && second?.phase == .waiting)
    }

    @Test(arguments: [RawServer.End.close, .reset, .keep])
    func anAnswerBeforeTheEndOfTheRequestEndsIt(end: RawServer.End) async throws {
        let server = RawServer(
            "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            end: end,
            reads: false
        )
        let session = try makeSession { $0.timeout = .seconds(5) }
        let content = [UInt8](repeating: 1, count: 16 << 20)
        let request = try HTTPRequest(method: .put, url: server.url, body: HTTPBody(content))
        do {
            let response = try await session.data(for: request)
            #expect(response.status.code == 413)
        } catch let error as TransportError {
            // The reset may overtake the answer, and even the news that the connection stands.
            let isBroken = Self.isBroken(error) || error.code == .connectFailed
            #expect(end != .keep && isBroken, "\(error)")
        }
    }
}
