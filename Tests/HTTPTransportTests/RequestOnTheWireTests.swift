import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

@Suite("Request on the wire", .timeLimit(.minutes(1))) struct RequestOnTheWireTests {
    private func sent(
        _ method: HTTPMethod = .get,
        _ path: String = "/",
        fields: [HTTPField] = [],
        body: HTTPBody? = nil,
        userAgent: String? = nil
    ) async throws -> String {
        let server = RawServer()
        let session = try CurlSession(configuration: .init(userAgent: userAgent))
        let request = try HTTPRequest(
            method: method,
            url: server.url + path,
            fields: HTTPFields(fields),
            body: body
        )
        _ = try await session.data(for: request)
        return try #require(server.received.first).replacing("127.0.0.1:\(server.port)", with: "HOST")
    }

    @Test func aHeadHasItsFieldsAndNoOthers() async throws {
        #expect(try await sent() == "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n")
    }

    @Test func nothingIsKeptOfWhatServersSet() async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n")
        let session = try CurlSession(configuration: .init(userAgent: nil))
        for _ in 0..<2 { _ = try await session.data(from: server.url + "/") }
        var request = try HTTPRequest(url: server.url + "/")
        try request.fields.append("own=1", for: "Cookie")
        _ = try await session.data(for: request)
        let cookies = server.received.map { $0.split(separator: "\r\n").filter { $0.hasPrefix("Cookie") } }
        #expect(cookies == [[], [], ["Cookie: own=1"]])
    }

    @Test func aLengthOfOnesOwnBesideAStreamIsRefused() async throws {
        let server = RawServer()
        let session = try CurlSession()
        for count in [nil, 3] as [Int?] {
            let pieces = AsyncStream<[UInt8]> { $0.finish() }
            var request = try HTTPRequest(method: .post, url: server.url + "/")
            request.body = HTTPBody(HTTPBodyStream(pieces, count: count))
            try request.fields.append("4", for: "Content-Length")
            let refused = request
            let error = await #expect(throws: TransportError.self) { try await session.data(for: refused) }
            #expect(error?.code == .reservedField)
        }
        #expect(server.connections == 0)
    }

    @Test(arguments: [
        "/", "//", "//a", "/a/../b/./", "/%2e%2E/%2f", "/?", "/a?", "/a?b=c&b=c&&", "/a?b+c%20", "/a;b=c",
        "/?a?b/c",
        "/~!$&'()*+,;=:@", "/?[]|^", "?x",
    ])
    func theTargetIsSentAsWritten(path: String) async throws {
        let expected = path.hasPrefix("?") ? "/" + path : path
        #expect(try await sent(.get, path) == "GET \(expected) HTTP/1.1\r\nHost: HOST\r\n\r\n")
    }

    @Test func fieldsKeepOrderSpellingValuesAndDuplicates() async throws {
        let fields = [
            try HTTPField("x-B", "1"), try HTTPField("Accept", "*/*"), try HTTPField("X-Empty", ""),
            try HTTPField("X-b", "2;3, \"4\""), try HTTPField("Cookie", "a=b"),
            try HTTPField("x-B", "é\tx  y"),
            try HTTPField("Authorization", "Basic eA=="),
        ]
        #expect(
            try await sent(fields: fields)
                == "GET / HTTP/1.1\r\nHost: HOST\r\nx-B: 1\r\nAccept: */*\r\nX-Empty:\r\nX-b: 2;3, \"4\"\r\n"
                + "Cookie: a=b\r\nx-B: é\tx  y\r\nAuthorization: Basic eA==\r\n\r\n"
        )
    }

    @Test(arguments: [
        "Accept", "Content-Type", "User-Agent", "X", "Cookie", "Range", "Referer", "Accept-Encoding",
    ])
    func anEmptyValueIsSent(name: String) async throws {
        let field = try HTTPField(HTTPField.Name(name), "")
        #expect(
            try await sent(.post, fields: [field], body: HTTPBody("a"), userAgent: "u")
                == "POST / HTTP/1.1\r\nHost: HOST\r\n\(name):\r\n"
                + (name == "User-Agent" ? "" : "User-Agent: u\r\n") + "Content-Length: 1\r\n\r\na"
        )
    }

    static let framings: [(HTTPMethod, String?, String)] = [
        (.get, nil, ""), (.delete, nil, ""), (.options, nil, ""), (.trace, nil, ""),
        (.post, nil, "Content-Length: 0\r\n"), (.put, nil, "Content-Length: 0\r\n"),
        (.patch, nil, "Content-Length: 0\r\n"), (.get, "", "Content-Length: 0\r\n"),
        (.get, "abc", "Content-Length: 3\r\n"), (.post, "", "Content-Length: 0\r\n"),
        (.post, "abc", "Content-Length: 3\r\n"), (.put, "abc", "Content-Length: 3\r\n"),
        (.delete, "abc", "Content-Length: 3\r\n"),
    ]

    @Test(arguments: framings)
    func aContentIsFramedByItsLength(method: HTTPMethod, body: String?, length: String) async throws {
        #expect(
            try await sent(method, body: body.map { HTTPBody($0) })
                == "\(method) / HTTP/1.1\r\nHost: HOST\r\n\(length)\r\n\(body ?? "")"
        )
    }

    @Test func aLargeContentIsNotAnnounced() async throws {
        let body = [UInt8](repeating: 0x61, count: 2 << 20)
        let text = try await sent(.post, body: HTTPBody(body))
        #expect(text.hasPrefix("POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 2097152\r\n\r\naaa"))
    }

    @Test func theUserAgentIsTheRequestsOrTheSessions() async throws {
        #expect(try await sent(userAgent: "u/1").hasSuffix("\r\nUser-Agent: u/1\r\n\r\n"))
        let own = try HTTPField(.userAgent, "own")
        #expect(try await sent(fields: [own], userAgent: "u/1").hasSuffix("HOST\r\nUser-Agent: own\r\n\r\n"))
        let server = RawServer()
        _ = try await CurlSession().data(from: server.url)
        #expect(server.received[0].contains("\r\nUser-Agent: swift-protection/"))
    }

    @Test func hostAndLengthMayBeGivenWhenTheyAreTrue() async throws {
        let server = RawServer()
        let fields = HTTPFields([
            try HTTPField("Content-Length", "1"), try HTTPField("host", "127.0.0.1:\(server.port)"),
        ])
        let request = try HTTPRequest(method: .post, url: server.url, fields: fields, body: HTTPBody("a"))
        _ = try await CurlSession(configuration: .init(userAgent: nil)).data(for: request)
        #expect(
            server.received == [
                "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 1\r\n\r\na"
            ]
        )
    }

    static let reserved: [[(HTTPField.Name, String)]] = [
        [("Host", "a.test")], [("Host", "")], [("Host", "127.0.0.1")], [("Content-Length", "2")],
        [("Content-Length", "")], [("content-length", "1"), ("Content-Length", "1")],
        [("Transfer-Encoding", "chunked")],
        [("Connection", "close")], [("Keep-Alive", "1")], [("Proxy-Connection", "close")],
        [("TE", "trailers")],
        [("Trailer", "X")], [("Upgrade", "h2c")], [("HTTP2-Settings", "")], [("Expect", "100-continue")],
    ]

    @Test(arguments: reserved)
    func theTransportsOwnFieldsAreRefused(fields: [(HTTPField.Name, String)]) async throws {
        let server = RawServer()
        let request = try HTTPRequest(
            method: .post,
            url: server.url,
            fields: HTTPFields(fields.map { try HTTPField($0.0, $0.1) }),
            body: HTTPBody("a")
        )
        let session = try CurlSession()
        let error = try await #require(throws: TransportError.self) { try await session.data(for: request) }
        #expect(error.code == .reservedField && server.connections == 0)
    }

    static let unsupported: [(String, HTTPBody?)] = [
        ("CONNECT", nil), ("CONNECT", HTTPBody("a")), ("HEAD", HTTPBody("a")), ("HEAD", HTTPBody("")),
    ]

    @Test(arguments: unsupported)
    func whatCannotBeSentIsRefused(method: String, body: HTTPBody?) async throws {
        let server = RawServer()
        let request = try HTTPRequest(method: HTTPMethod(method), url: server.url, body: body)
        let session = try CurlSession()
        let error = try await #require(throws: TransportError.self) { try await session.data(for: request) }
        #expect(error.code == .unsupported && server.connections == 0)
    }

    @Test(arguments: [
        "0x7f.1", "127.1", "2130706433", "0177.0.0.1", "[::0001]", "[0:0:0:0:0:0:0:1]",
    ])
    func aHostThatLibcurlReadsOtherwiseIsRefused(host: String) async throws {
        let server = RawServer()
        let session = try CurlSession()
        for scheme in ["http", "https"] {
            let error = try await #require(throws: TransportError.self) {
                try await session.data(from: "\(scheme)://\(host):\(server.port)/?secret")
            }
            #expect(error.code == .targetMismatch && error.host == host)
            #expect(!"\(error)".contains("secret"))
        }
        #expect(server.connections == 0)
    }
}
