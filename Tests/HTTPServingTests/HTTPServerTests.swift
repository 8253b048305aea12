import Glibc
import HTTPMessages
import HTTPServing
import Locking
import Testing

/// Tells what the server made of a request, a line each.
struct Describer: HTTPHandler {
    func respond(to request: ServedRequest) async -> HTTPResponse {
        var lines = [
            "\(request.method) \(request.rawTarget)", request.target.absoluteString, request.remoteAddress,
        ]
        lines += request.fields.map { "\($0.name)=\($0.value)" }
        lines.append("body \(request.body.count)")
        return HTTPResponse(status: .ok, body: Array(lines.joined(separator: "\n").utf8))
    }
}

@Suite("Server", .timeLimit(.minutes(1))) struct HTTPServerTests {
    private func head(_ fields: String = "") -> String {
        "Host: a.test\r\n\(fields)Connection: close\r\n\r\n"
    }

    @Test(arguments: [
        "/", "//", "/a//b", "/a/../b", "/./", "/%2F%2f", "/a?", "/a?b=c&b=c", "/a?b=%20+%2B", "/a;b=c",
        "/?a/b?c",
    ])
    func theTargetIsKeptAsReceived(target: String) async throws {
        let server = try HTTPServer(handler: Describer())
        let answer = try await Loopback.exchange("GET \(target) HTTP/1.1\r\n\(head())", port: server.port)
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.contains("\r\n\r\nGET \(target)\nhttp://a.test\(target)\n127.0.0.1\n"))
    }

    @Test func anAbsoluteTargetIsTaken() async throws {
        let server = try HTTPServer(handler: Describer())
        let answer = try await Loopback.exchange(
            "GET http://a.test/x HTTP/1.1\r\n\(head())",
            port: server.port
        )
        #expect(answer.contains("GET http://a.test/x\nhttp://a.test/x\n"))
    }

    @Test func fieldsKeepOrderSpellingAndDuplicates() async throws {
        let server = try HTTPServer(handler: Describer())
        let fields = "x-B: 1\r\nX-a:2\r\nX-b: \t3 \r\nX-Empty:\r\nCookie: a=b; c=\"d\"\r\nX-B: 4, 5\r\n"
        let answer = try await Loopback.exchange("GET / HTTP/1.1\r\n\(head(fields))", port: server.port)
        #expect(
            answer.contains("x-B=1\nX-a=2\nX-b=3\nX-Empty=\nCookie=a=b; c=\"d\"\nX-B=4, 5\nConnection=close")
        )
    }

    @Test(arguments: [
        // No valid host, or more than one.
        "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.0\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a?b\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: u@a\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a:0\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET http://b/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        // No valid target.
        "GET a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /a#b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /a%2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /a\\b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /\u{e9} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /a\0b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        // No valid method or field.
        "G(T / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX Y: b\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX : b\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\0c\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\u{1}c\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nnothing\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\nHost: a\nConnection: close\n\n",
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX\0: b\r\nConnection: close\r\n\r\n",
        // Two ways to tell the length.
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\na",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\na",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ])
    func whatIsMalformedNeverReachesTheHandler(request: String) async throws {
        let calls = Mutex(0)
        let server = try HTTPServer { _ in
            calls.withLock { $0 += 1 }
            return HTTPResponse(status: .ok)
        }
        let answer = try await Loopback.exchange(request, port: server.port)
        #expect(calls.withLock { $0 } == 0)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400 ") || answer.hasPrefix("HTTP/1.0 400 "))
    }

    @Test func anotherVersionIsRefused() async throws {
        let server = try HTTPServer(handler: Describer())
        let answer = try await Loopback.exchange("GET / HTTP/1.2\r\n\(head())", port: server.port)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 505 "))
    }

    @Test func aHeadThatIsTooLargeIsRefused() async throws {
        let server = try HTTPServer(configuration: .init(connectionMemory: 4096), handler: Describer())
        let field = "X: \(String(repeating: "a", count: 10_000))\r\n"
        let answer = try await Loopback.exchange("GET / HTTP/1.1\r\n\(head(field))", port: server.port)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 431 "))
    }

    @Test func aConnectionIsKept() async throws {
        let server = try HTTPServer(handler: Describer())
        let connection = try Loopback(port: server.port)
        for number in 1...3 {
            try await connection.send("POST /\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
            #expect(try await connection.receive(until: "body 3").contains("\r\n\r\nPOST /\(number)\n"))
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let server = try HTTPServer(handler: Describer())
        let connection = try Loopback(port: server.port)
        try await connection.send((1...5).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        let answer = try await connection.receive(until: "body 0", times: 5)
        let order = answer.split(separator: "\r\n\r\n").dropFirst().compactMap {
            $0.split(separator: "\n").first
        }
        #expect(order == (1...5).map { "GET /\($0)" })
    }

    @Test func aHeadResponseHasLengthAndNoContent() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: .ok, body: Array("12345".utf8)) }
        let answer = try await Loopback.exchange("HEAD / HTTP/1.1\r\n\(head())", port: server.port)
        #expect(answer.contains("Content-Length: 5\r\n") && answer.hasSuffix("\r\n\r\n"))
        #expect(answer.contains("Date: "))
    }

    @Test(arguments: [204, 304, 200, 418, 599, 999])
    func aStatusIsSent(code: Int) async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: (try? HTTPStatus(code)) ?? .badRequest) }
        let answer = try await Loopback.exchange("GET / HTTP/1.1\r\n\(head())", port: server.port)
        #expect(answer.hasPrefix("HTTP/1.1 \(code) ") && answer.hasSuffix("\r\n\r\n"))
    }

    @Test func responseFieldsKeepOrderAndDuplicates() async throws {
        let fields = HTTPFields([
            try HTTPField("X-a", "1"), try HTTPField("set-cookie", "a=b"),
            try HTTPField("Set-Cookie", "c, d"),
            try HTTPField("X-Bytes", bytes: [0xE9]), try HTTPField("Content-Length", "0"),
        ])
        let server = try HTTPServer { _ in HTTPResponse(status: .ok, fields: fields) }
        let answer = try await Loopback.exchange("GET / HTTP/1.1\r\n\(head())", port: server.port)
        #expect(answer.contains("X-a: 1\r\nset-cookie: a=b\r\nSet-Cookie: c, d\r\nX-Bytes: \u{FFFD}\r\n"))
    }

    static let refusedResponses: [(Int, HTTPField.Name, String)] = [
        (200, "Content-Length", "1"), (200, "Transfer-Encoding", "chunked"), (200, "X-Empty", ""),
        (100, "X", "a"), (199, "X", "a"),
    ]

    @Test(arguments: refusedResponses)
    func aResponseThatCannotBeSentIsReported(code: Int, name: HTTPField.Name, value: String) async throws {
        let errors = Mutex<[HTTPServerError.Code]>([])
        let response = HTTPResponse(
            status: try HTTPStatus(code),
            fields: HTTPFields([try HTTPField(name, value)])
        )
        let configuration = HTTPServer.Configuration(onError: { error in
            errors.withLock { $0.append(error.code) }
        })
        let server = try HTTPServer(configuration: configuration) { _ in response }
        let answer = try await Loopback.exchange("GET / HTTP/1.1\r\n\(head())", port: server.port)
        #expect(answer.hasPrefix("HTTP/1.1 500 "))
        #expect(errors.withLock { $0 }.contains(.invalidResponse))
    }

    @Test func aCommandLineClientIsServed() async throws {
        let server = try HTTPServer(handler: Describer())
        let answer = try await output(
            of: "curl -s --max-time 20 --noproxy '*' --path-as-is -d a=b '\(server.url)/a/../b?c#d'"
        )
        #expect(answer.hasPrefix("POST /a/../b?c\n\(server.url)/a/../b?c\n") && answer.hasSuffix("body 3"))
    }

    @Test func fiftyRequestsAreAnsweredSideBySide() async throws {
        let gate = Gate(count: 50)
        let server = try HTTPServer(configuration: .init(threadCount: 2)) { _ in
            await gate.pass()
            return HTTPResponse(status: .ok, body: Array("done".utf8))
        }
        // Each is open before one is answered, so one thread can read them one by one.
        let connections = try (0..<50).map { _ in try Loopback(port: server.port) }
        for connection in connections { try await connection.send("GET / HTTP/1.1\r\n\(head())") }
        for connection in connections { #expect(try await connection.receive().hasSuffix("done")) }
    }
}

/// Lets nobody pass until so many have come.
actor Gate {
    private let count: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(count: Int) {
        self.count = count
    }

    func pass() async {
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            guard waiting.count == count else { return }
            waiting.forEach { $0.resume() }
        }
    }
}
