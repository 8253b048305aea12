import HTTPInterceptors
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import TestSupport
import Testing

/// What a second server receives after a redirect by a first one.
@Suite("Redirects on the wire", .timeLimit(.minutes(1))) struct RedirectTests {
    /// How a request leaves its origin, or does not.
    enum Hop: CaseIterable, Sendable {
        case otherHost, otherPort, secureToOtherHost, secureToOtherPort, plainToSecure, sameOrigin

        var isFromSecure: Bool { self == .secureToOtherHost || self == .secureToOtherPort }
        var isToSecure: Bool { isFromSecure || self == .plainToSecure }
        var host: String { self == .otherHost || self == .secureToOtherHost ? "localhost" : "127.0.0.1" }
    }

    /// A content with every octet in it, and longer than one read of a socket.
    private static let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    private static let credentials: [HTTPField.Name] = [
        "X-Api-Key", "Authorization", "Cookie", "X-Amz-Security-Token", "Proxy-Authorization",
    ]

    private let authority: CertificateAuthority

    init() throws { authority = try .shared }

    private func session() throws -> InterceptedSession {
        var policy = RedirectPolicy.follow
        policy.sensitiveFields = ["X-Api-Key"]
        let session = try CurlSession(
            configuration: .init(trustRoots: .pem(try authority.bytes("root.pem")))
        )
        return InterceptedSession(session, interceptors: [RedirectInterceptor(policy: policy)])
    }

    /// A server that redirects a request to `/` and answers any other.
    private func server(
        isSecure: Bool = false,
        to location: String = "/there",
        by status: Int = 307,
        _ log: Log
    ) throws -> HTTPServer {
        let redirect = HTTPResponse(
            status: try HTTPStatus(status),
            fields: HTTPFields([try HTTPField(.location, location)])
        )
        let tls = isSecure ? try authority.tls("good") : nil
        return try HTTPServer(configuration: .init(tls: tls)) { request in
            log.requests.withLock { $0.append(request) }
            return request.target.path == "/" ? redirect : HTTPResponse(status: .ok)
        }
    }

    private final class Log: Sendable {
        let requests = Mutex<[ServedRequest]>([])

        var all: [ServedRequest] { requests.withLock { $0 } }
    }

    @Test(arguments: [307, 308], [true, false])
    func theSecondServerGetsTheSameContent(status: Int, isFile: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("content", Self.content)
        let logs = (first: Log(), second: Log())
        let second = try server(logs.second)
        defer { second.stop() }
        let first = try server(to: second.url + "/there", by: status, logs.first)
        defer { first.stop() }
        let request = try HTTPRequest(
            method: .post,
            url: first.url + "/",
            body: isFile ? HTTPBody(file: path) : HTTPBody(Self.content)
        )
        #expect(try await session().data(for: request).status == .ok)
        for (log, path) in [(logs.first, "/"), (logs.second, "/there")] {
            let received = try #require(log.all.first)
            #expect(log.all.count == 1 && received.method == .post && received.target.path == path)
            #expect(received.body == Self.content)
            #expect(received.fields[values: .contentLength] == ["\(Self.content.count)"])
        }
    }

    @Test(arguments: [303, 302, 301]) func whatBecomesGETBringsNoContent(status: Int) async throws {
        let logs = (first: Log(), second: Log())
        let second = try server(logs.second)
        defer { second.stop() }
        let first = try server(to: second.url + "/there", by: status, logs.first)
        defer { first.stop() }
        var request = try HTTPRequest(method: .post, url: first.url + "/", body: HTTPBody(Self.content))
        try request.fields.set("text/plain", for: .contentType)
        #expect(try await session().data(for: request).status == .ok)
        let received = try #require(logs.second.all.first)
        #expect(logs.first.all.first?.body == Self.content)
        #expect(received.method == .get && received.body.isEmpty)
        #expect(!received.fields.contains(.contentLength) && !received.fields.contains(.contentType))
    }

    @Test(arguments: [true, false], [307, 308])
    func aContentThatCannotLeaveTwiceDoesNot(isStream: Bool, status: Int) async throws {
        let logs = (first: Log(), second: Log())
        let second = try server(logs.second)
        defer { second.stop() }
        let first = try server(to: second.url + "/there", by: status, logs.first)
        defer { first.stop() }
        let (pieces, piece) = AsyncStream.makeStream(of: [UInt8].self)
        piece.yield(Self.content)
        piece.finish()
        let request = try HTTPRequest(
            method: .post,
            url: first.url + "/",
            body: isStream
                ? HTTPBody(HTTPBodyStream(pieces)) : HTTPBody(Self.content, isReplayable: false)
        )
        let session = try session()
        let error = try await #require(throws: RedirectError.self) { try await session.data(for: request) }
        #expect(error.code == .bodyNotReplayable && error.status.code == status && error.host == "127.0.0.1")
        #expect(error.message == "the content of the request cannot be sent again")
        #expect(logs.first.all.map(\.body) == [Self.content])
        #expect(logs.second.all.isEmpty)
    }

    @Test(arguments: Hop.allCases, [HTTPMethod.get, .post])
    func credentialsReachTheirOriginAlone(hop: Hop, method: HTTPMethod) async throws {
        let logs = (first: Log(), second: Log())
        let second = try server(isSecure: hop.isToSecure, logs.second)
        defer { second.stop() }
        let scheme = hop.isToSecure ? "https" : "http"
        let away = "\(scheme)://\(hop.host):\(second.port)/there"
        let first = try server(
            isSecure: hop.isFromSecure,
            to: hop == .sameOrigin ? "/there" : away,
            logs.first
        )
        defer { first.stop() }
        var request = try HTTPRequest(
            method: method,
            url: first.url + "/",
            body: method == .post ? HTTPBody("content") : nil
        )
        for name in Self.credentials { try request.fields.append("s3cret", for: name) }
        try request.fields.append("text/plain", for: "Accept")
        #expect(try await session().data(for: request).status == .ok)

        let start = try #require(logs.first.all.first)
        let end = try #require(hop == .sameOrigin ? logs.first.all.last : logs.second.all.first)
        #expect(end.target.path == "/there" && end.method == method)
        #expect(end.body == (method == .post ? Array("content".utf8) : []))
        #expect(end.fields["Accept"] == "text/plain")
        for name in Self.credentials {
            #expect(start.fields[values: name] == ["s3cret"])
            #expect(end.fields[values: name] == (hop == .sameOrigin ? ["s3cret"] : []), "\(name)")
        }
        #expect(end.fields.allSatisfy { hop == .sameOrigin || !$0.value.contains("s3cret") })
    }

    @Test(arguments: [301, 302, 303, 307, 308]) func nothingGoesOnInTheClear(status: Int) async throws {
        let logs = (first: Log(), second: Log())
        let second = RawServer()
        let first = try server(isSecure: true, to: second.url + "/there", by: status, logs.first)
        defer { first.stop() }
        let session = try session()
        let error = try await #require(throws: RedirectError.self) {
            try await session.data(from: first.url + "/")
        }
        #expect(error.code == .insecureRedirect && error.status.code == status)
        #expect(logs.first.all.count == 1 && second.connections == 0)
    }
}
