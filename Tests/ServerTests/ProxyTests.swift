import Glibc
import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

/// A proxy behind a relay that keeps what the client says to it.
struct ProxyServer {
    let relay: Relay
    private let folder: TemporaryFolder
    private let daemon: Daemon

    /// Tells every request of the client that it connected.
    var log: String { get throws { try folder.text("log") } }

    static func tinyproxy(_ settings: String = "") async throws -> Self {
        let folder = try TemporaryFolder()
        let port = Loopback.freePort()
        try folder.write(
            "conf",
            Array(
                """
                Port \(port)
                Listen 127.0.0.1
                Timeout 60
                MaxClients 100
                LogLevel Connect
                \(settings)

                """.utf8
            )
        )
        return try await Self(
            Program.tinyproxy.rawValue,
            ["-d", "-c", folder["conf"]],
            in: folder,
            port: port
        )
    }

    static func microsocks(_ arguments: [String] = []) async throws -> Self {
        let port = Loopback.freePort()
        return try await Self(
            Program.microsocks.rawValue,
            ["-i", "127.0.0.1", "-p", "\(port)"] + arguments,
            in: try TemporaryFolder(),
            port: port
        )
    }

    private init(_ program: String, _ arguments: [String], in folder: TemporaryFolder, port: Int) async throws
    {
        self.folder = folder
        daemon = try await Daemon(program, arguments, log: folder["log"], port: port)
        relay = Relay(to: port)
    }

    func session(
        _ kind: Proxy.Kind = .http,
        user: String? = nil,
        password: String? = nil
    ) throws -> CurlSession {
        try makeSession {
            $0.proxy = try Proxy(kind, host: "127.0.0.1", port: relay.port, user: user, password: password)
        }
    }
}

@Suite(
    "Proxies",
    .enabled(
        if: NginxDaemon.isPresent && Program.tinyproxy.isPresent && Program.microsocks.isPresent,
        "nginx, tinyproxy or microsocks is not installed: make test installs them"
    ),
    .timeLimit(.minutes(1))
)
struct ProxyTests {
    private func request(_ url: String) throws -> HTTPRequest {
        var request = try HTTPRequest(url: url)
        try request.fields.set("Bearer secret-token", for: "Authorization")
        return request
    }

    /// "user:password" in Base64.
    private static let credentials = "dXNlcjpwYXNzd29yZA=="

    @Test func aTunnelShowsTheProxyNothingOfTheRequest() async throws {
        let server = try await Nginx()
        let proxy = try await ProxyServer.tinyproxy()
        let session = try proxy.session()
        for number in 0..<3 {
            let response = try await session.data(for: request("\(server.url)/hello?secret\(number)"))
            #expect(response.status == .ok && response.text == "hello ")
            #expect(response.metrics?.protocolName == "HTTP/2")
            #expect(!response.fields.contains("Via") && response.fields[values: "Server"].count == 1)
        }
        let lines = proxy.relay.text.split(separator: "\r\n\r\n", maxSplits: 1)[0].split(separator: "\r\n")
        #expect(lines.first == "CONNECT 127.0.0.1:\(server.port) HTTP/1.1")
        let names = lines.dropFirst().map { $0.split(separator: ":")[0].lowercased() }
        #expect(Set(names).isSubset(of: ["host", "proxy-connection"]), "\(names)")
        #expect(!proxy.relay.text.contains("secret") && !proxy.relay.text.contains("hello"))
        #expect(proxy.relay.sent.count == 1)
        #expect(try await server.connections(ofRequests: 1) == 1)
    }

    @Test func plainHTTPIsToldTheWholeURL() async throws {
        let origin = RawServer()
        let proxy = try await ProxyServer.tinyproxy()
        let session = try proxy.session()
        let response = try await session.data(for: request(origin.url + "/a/../b//?c=%2F"))
        #expect(response.status == .ok && response.text == "ok")
        #expect(proxy.relay.text.hasPrefix("GET \(origin.url)/a/../b//?c=%2F HTTP/1.1\r\n"))
        let received = try #require(origin.received.first)
        #expect(received.hasPrefix("GET /a/../b//?c=%2F HTTP/1."))
        #expect(received.contains("Authorization: Bearer secret-token"))
    }

    @Test func credentialsAreForTheProxyAlone() async throws {
        let origin = RawServer()
        let server = try await Nginx()
        let proxy = try await ProxyServer.tinyproxy("BasicAuth user password")
        let session = try proxy.session(user: "user", password: "password")
        #expect(try await session.data(from: origin.url + "/").text == "ok")
        let received = try #require(origin.received.first)
        #expect(!received.lowercased().contains("proxy-auth") && !received.contains(Self.credentials))
        #expect(proxy.relay.text.contains("Proxy-Authorization: Basic \(Self.credentials)\r\n"))
        // What the tunnel's inside shows is what the relay to the origin sees of it: nothing but TLS.
        let front = Relay(to: server.port)
        let response = try await session.data(from: "https://127.0.0.1:\(front.port)/hello")
        #expect(response.text == "hello ")
        #expect(!front.text.contains(Self.credentials) && !front.text.lowercased().contains("proxy"))
    }

    @Test(arguments: [("user", "wrong"), (nil, nil)] as [(String?, String?)])
    func wrongCredentialsAreRefused(user: String?, password: String?) async throws {
        let server = try await Nginx()
        let proxy = try await ProxyServer.tinyproxy("BasicAuth user password")
        let session = try proxy.session(user: user, password: password)
        let error = try await refusal(of: server.url + "/hello", by: session)
        #expect(error.code == .proxyFailed && !error.isRetryable, "\(error)")
        #expect(!"\(error)".contains("wrong") && error.host == "127.0.0.1")
        // For plain HTTP the proxy's answer is an answer like any other.
        let response = try await session.data(from: server.plainURL + "/hello")
        #expect([401, 407].contains(response.status.code))
        #expect(try await server.entries().isEmpty)
    }

    @Test func aTunnelThatIsRefusedIsTheProxysFault() async throws {
        let server = try await Nginx()
        let closed = try await ProxyServer.tinyproxy("ConnectPort 1")
        let error = try await refusal(of: server.url + "/hello", by: closed.session())
        #expect(error.code == .proxyFailed && error.message.hasSuffix(" 403"), "\(error)")
        let open = try await ProxyServer.tinyproxy()
        let dead = try await refusal(of: "https://127.0.0.1:\(Loopback.freePort())/", by: open.session())
        #expect(dead.code == .proxyFailed, "\(dead)")
    }

    @Test(arguments: [Proxy.Kind.http, .socks5], ["http", "https"])
    func aDeadProxyIsNamedAsSuch(kind: Proxy.Kind, scheme: String) async throws {
        let server = try await Nginx()
        let session = try makeSession {
            $0.proxy = try Proxy(kind, host: "127.0.0.1", port: Loopback.freePort())
        }
        let url = (scheme == "http" ? server.plainURL : server.url) + "/hello"
        let error = try await refusal(of: url, by: session)
        #expect(error.code == .proxyFailed && error.errorNumber == ECONNREFUSED, "\(error)")
        #expect(try await server.entries().isEmpty)
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\n", "garbage\r\n\r\n", "HTTP/1.1 500 No\r\nContent-Length: 5\r\n\r\nsorry",
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n",
    ])
    func aStrangeAnswerIsNoTunnel(answer: String) async throws {
        let proxy = RawServer(answer)
        let session = try makeSession { $0.proxy = try Proxy(.http, host: "127.0.0.1", port: proxy.port) }
        let error = try await refusal(of: "https://127.0.0.1:9/", by: session)
        #expect(error.code == .proxyFailed || error.isRetryable, "\(error)")
        if answer.contains("500") || answer.contains("302") { #expect(error.code == .proxyFailed) }
        #expect(!"\(error)".contains("sorry"))
    }

    @Test func aTunnelToAnotherServerIsNotTrusted() async throws {
        // The proxy sends the client elsewhere: TLS inside the tunnel notices.
        let server = try await Nginx("self")
        let proxy = try await ProxyServer.tinyproxy()
        let error = try await refusal(of: server.url + "/hello", by: proxy.session())
        #expect(error.code == .certificateNotTrusted && error.message.hasSuffix(": it is self-signed"))
    }

    @Test func namesAreLookedUpBySOCKS() async throws {
        let server = try await Nginx()
        let proxy = try await ProxyServer.microsocks()
        let session = try proxy.session(.socks5)
        let secure = try await session.data(for: request("https://localhost:\(server.port)/hello?secret"))
        #expect(secure.text == "hello " && secure.metrics?.protocolName == "HTTP/2")
        let plain = try await session.data(for: request("http://localhost:\(server.plainPort)/hello"))
        #expect(plain.text == "hello ")
        // Version, command, a reserved octet, the kind of address and its length, then the name itself.
        let expected: [UInt8] = [5, 1, 0, 3, 9] + Array("localhost".utf8)
        for sent in proxy.relay.sent {
            #expect(sent.indices.contains { sent[$0...].starts(with: expected) })
        }
        #expect(proxy.relay.sent.count == 2)
        let received = try #require(proxy.relay.sent.last)
        #expect(String(decoding: received, as: UTF8.self).contains("GET /hello HTTP/1.1\r\n"))
    }

    @Test func credentialsOfSOCKSAreChecked() async throws {
        let server = try await Nginx()
        let proxy = try await ProxyServer.microsocks(["-u", "user", "-P", "password"])
        let known = try proxy.session(.socks5, user: "user", password: "password")
        #expect(try await known.data(from: server.url + "/hello").text == "hello ")
        for (user, password) in [("user", "wrong"), (nil, nil)] as [(String?, String?)] {
            let session = try proxy.session(.socks5, user: user, password: password)
            let error = try await refusal(of: server.url + "/hello", by: session)
            #expect(error.code == .proxyFailed, "\(error)")
        }
        let nowhere = try await refusal(of: "https://127.0.0.1:\(Loopback.freePort())/", by: known)
        #expect(nowhere.code == .proxyFailed, "\(nowhere)")
    }

    @Test func theEnvironmentNamesNoProxy() async throws {
        let server = try await Nginx()
        let trap = RawServer("HTTP/1.1 502 Trap\r\nContent-Length: 0\r\n\r\n")
        let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        for name in names { unsafe setenv(name, trap.url, 1) }
        unsafe setenv("no_proxy", "*", 1)
        defer { for name in names + ["no_proxy"] { unsafe unsetenv(name) } }
        for url in [server.url, server.plainURL] {
            #expect(try await makeSession().data(from: url + "/hello").status == .ok)
        }
        #expect(trap.connections == 0)
        // Nor does it take a proxy away.
        let proxy = try await ProxyServer.tinyproxy()
        #expect(try await proxy.session().data(from: server.plainURL + "/hello").status == .ok)
        #expect(proxy.relay.sent.count == 1)
    }
}
