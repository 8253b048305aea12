import Glibc
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import TestSupport
import Testing

/// Returns the content, and the method and target as fields.
struct Echo: HTTPHandler {
    func respond(to request: ServedRequest) async -> HTTPResponse {
        var response = HTTPResponse(status: .ok, body: request.body)
        try? response.fields.append(request.method.rawValue, for: "X-Method")
        try? response.fields.append(request.rawTarget, for: "X-Target")
        return response
    }
}

@Suite("Session", .timeLimit(.minutes(1))) struct CurlSessionTests {
    @Test(arguments: [0, 1, 65_536, 1 << 20, 5 << 20])
    func aContentComesBack(size: Int) async throws {
        let server = try HTTPServer(configuration: .init(maximumBodySize: 8 << 20), handler: Echo())
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let request = try HTTPRequest(method: .post, url: "\(server.url)/a", body: HTTPBody(body))
        let response = try await CurlSession().data(for: request)
        #expect(response.status == .ok && response.body == body)
    }

    @Test(
        arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "get"],
        [nil, "", "abc"]
    )
    func aMethodIsSentWithAndWithoutContent(method: String, body: String?) async throws {
        let server = try HTTPServer(handler: Echo())
        let request = try HTTPRequest(
            method: HTTPMethod(method),
            url: "\(server.url)//a/../%2F?b",
            body: body.map { HTTPBody($0) }
        )
        let response = try await CurlSession().data(for: request)
        #expect(response.fields["X-Method"] == method && response.fields["X-Target"] == "//a/../%2F?b")
        #expect(response.text == body ?? "")
    }

    @Test func anAddressOfIPv6IsReached() async throws {
        let server = try HTTPServer(configuration: .init(address: "::1")) { served in
            HTTPResponse(status: .ok, body: Array(served.request.target.authority.utf8))
        }
        #expect(server.url.hasPrefix("http://[::1]:"))
        let response = try await CurlSession().data(from: server.url + "/")
        #expect(response.status == .ok && response.text == "[::1]:\(server.port)")
    }

    @Test func aHeadResponseHasNoContent() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: .ok, body: Array("12345".utf8)) }
        let response = try await CurlSession().data(for: HTTPRequest(method: .head, url: "\(server.url)/"))
        #expect(response.fields["Content-Length"] == "5" && response.body.isEmpty)
    }

    @Test(arguments: [204, 304, 302, 404, 500]) func aStatusIsReturned(code: Int) async throws {
        let fields = HTTPFields([try HTTPField(.location, "/elsewhere")])
        let server = try HTTPServer { _ in
            HTTPResponse(status: (try? HTTPStatus(code)) ?? .ok, fields: fields)
        }
        let response = try await CurlSession().data(from: "\(server.url)/")
        #expect(response.status.code == code && response.fields[.location] == "/elsewhere")
    }

    @Test func aConnectionIsUsedAgain() async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", end: .close)
        let session = try CurlSession()
        for _ in 0..<3 { _ = try await session.data(from: server.url) }
        #expect(server.connections == 3)
        // A server that keeps its connections is asked on one: the peer's port stays.
        let ports = Mutex<Set<String>>([])
        let keeping = try HTTPServer { request in
            ports.withLock { _ = $0.insert(request.remoteAddress) }
            return HTTPResponse(status: .ok)
        }
        let count = try connectionCount(to: keeping.port)
        for _ in 0..<20 { _ = try await session.data(from: keeping.url) }
        #expect(try connectionCount(to: keeping.port) - count <= 1)
    }

    /// Each is looked at before it is used again, also those that were opened at the same time.
    @Test func aConnectionOverWhichMoreCameIsNotUsedAgain() async throws {
        let servers = (0..<16).map { _ in RawServer(end: .keep) }
        let session = try CurlSession()
        for _ in 0..<3 {
            try await withTaskExecutorPreference(session.executor) {
                try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
                    for server in servers { group.addTask { try await session.data(from: server.url) } }
                    for try await response in group {
                        #expect(response.text == "ok" && response.metrics?.isConnectionReused == false)
                    }
                }
            }
            for server in servers { server.push("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil") }
        }
    }

    @Test func aHundredRequestsRunSideBySide() async throws {
        let server = try HTTPServer(configuration: .init(threadCount: 2), handler: Echo())
        let session = try CurlSession(configuration: .init(maximumConnectionsPerHost: 10))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let request = try HTTPRequest(
                        method: .post,
                        url: "\(server.url)/\(number)",
                        body: HTTPBody("\(number)")
                    )
                    let response = try await session.data(for: request)
                    return response.text == "\(number)" && response.fields["X-Target"] == "/\(number)"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(try connectionCount(to: server.port) <= 10)
    }

    @Test func proxiesOfTheEnvironmentAreNotUsed() async throws {
        // In a process of its own, for the environment belongs to all tests.
        await #expect(processExitsWith: .success) {
            unsafe setenv("http_proxy", "http://127.0.0.1:1", 1)
            let server = try HTTPServer(handler: Echo())
            #expect(try await CurlSession().data(from: server.url).status == .ok)
        }
    }

    @Test func passwordsInTheHomeFolderAreNotSent() async throws {
        await #expect(processExitsWith: .success) {
            let home = try TemporaryFolder([".netrc": "machine 127.0.0.1 login alice password secret\n"])
            unsafe setenv("HOME", home.path, 1)
            let server = try HTTPServer { request in
                HTTPResponse(status: request.fields[.authorization] == nil ? .ok : .unauthorized)
            }
            #expect(try await CurlSession().data(from: server.url).status == .ok)
        }
    }

    @Test func aConnectionThatBreaksWhileItIsWrittenToSendsNoSignal() async throws {
        await #expect(processExitsWith: .success) {
            let server = RawServer("", end: .reset, reads: false)
            signal(SIGPIPE, SIG_DFL)
            let body = HTTPBody([UInt8](repeating: 0, count: 16 << 20))
            let request = try HTTPRequest(method: .put, url: server.url, body: body)
            let session = try CurlSession()
            for _ in 0..<5 {
                await #expect(throws: TransportError.self) { try await session.data(for: request) }
            }
        }
    }

    @Test func whatIsInvalidIsRefused() throws {
        let invalid: [CurlSession.Configuration] = [
            .init(trustRoots: .file("/nowhere")), .init(timeout: .zero), .init(connectTimeout: .zero),
            .init(connectTimeout: .seconds(1 << 20)), .init(maximumResponseSize: -1),
            .init(maximumHeadSize: -1), .init(maximumHeadSize: 256 << 10 + 1),
            .init(maximumFieldCount: -1), .init(maximumConnectionsPerHost: 0), .init(maximumConnections: 0),
            .init(maximumIdleAge: .zero), .init(userAgent: "a\r\nb"),
            .init(maximumIdleAge: .seconds(1 << 20)),
        ]
        for configuration in invalid {
            let error = try #require(throws: TransportError.self) {
                try CurlSession(configuration: configuration)
            }
            #expect(error.code == .invalidConfiguration)
        }
    }

    /// The connections that are established to a port, as the kernel counts them.
    private func connectionCount(to port: Int) throws -> Int {
        let mark = ":" + String(port, radix: 16, uppercase: true)
        guard let file = unsafe fopen("/proc/net/tcp", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var text: [UInt8] = []
        while case let octet = unsafe getc(file), octet != EOF {
            text.append(UInt8(truncatingIfNeeded: octet))
        }
        // Columns: number, local address, remote address, state; 01 is an established connection.
        return String(decoding: text, as: UTF8.self).split(separator: "\n")
            .map { $0.split(separator: " ") }
            .count { $0.count > 3 && $0[1].hasSuffix(mark) && $0[3] == "01" }
    }
}
