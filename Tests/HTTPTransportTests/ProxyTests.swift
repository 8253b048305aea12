import FoundationEssentials
import Glibc
import HTTPMessages
import HTTPServing
import HTTPTransport
import TestSupport
import Testing

@Suite("Proxies", .timeLimit(.minutes(1))) struct ProxyTests {
    private static let hasTinyproxy = unsafe access("/usr/bin/tinyproxy", X_OK) == 0
    private static let hasMicrosocks = unsafe access("/usr/bin/microsocks", X_OK) == 0

    private let authority: CertificateAuthority
    private let folder: TemporaryFolder

    init() throws {
        authority = try .shared
        folder = try TemporaryFolder()
    }

    private func session(_ proxy: Proxy) throws -> CurlSession {
        var configuration = CurlSession.Configuration(trustRoots: .pem(try authority.bytes("root.pem")))
        configuration.proxy = proxy
        return try CurlSession(configuration: configuration)
    }

    private func tinyproxy(_ settings: String = "") async throws -> (daemon: Daemon, port: Int) {
        let port = Loopback.freePort()
        let text = """
            Port \(port)
            Listen 127.0.0.1
            Allow 127.0.0.1
            LogFile "\(folder["log"])"
            PidFile "\(folder["pid"])"

            """
        let daemon = try await Daemon(
            "tinyproxy",
            ["-d", "-c", folder.write("conf", text + settings)],
            log: folder["output"],
            port: port
        )
        return (daemon, port)
    }

    private func request(_ url: String) throws -> HTTPRequest {
        var request = try HTTPRequest(url: url)
        try request.fields.set("Bearer secret", for: .authorization)
        return request
    }

    @Test(.enabled(if: hasTinyproxy, "tinyproxy is not installed: make test installs it"))
    func aTunnelLeadsToTheServer() async throws {
        let (daemon, port) = try await tinyproxy("BasicAuth user pass\n")
        let server = try authority.server("good")
        let plain = try HTTPServer { served in
            let fields = served.request.fields
            return HTTPResponse(
                status: fields.contains("Proxy-Authorization") ? .badRequest : .ok,
                body: Array("plain".utf8)
            )
        }
        let good = try session(Proxy(.http, host: "127.0.0.1", port: port, user: "user", password: "pass"))
        #expect(try await good.data(for: request(server.url + "/a")).status == .ok)
        #expect(try await good.data(for: request(plain.url + "/a?b")).text == "plain")
        #expect(try await good.chain(of: RequestTarget(server.url)).distrust == nil)
        let bad = try session(Proxy(.http, host: "127.0.0.1", port: port, user: "user", password: "wrong"))
        let error = await #expect(throws: TransportError.self) {
            try await bad.data(for: request(server.url))
        }
        #expect(error?.code == .proxyFailed, "\(String(describing: error))")
        withExtendedLifetime(daemon) {}
    }

    @Test(.enabled(if: hasMicrosocks, "microsocks is not installed: make test installs it"))
    func aSOCKSProxyLooksTheNameUp() async throws {
        let port = Loopback.freePort()
        let daemon = try await Daemon(
            "microsocks",
            ["-i", "127.0.0.1", "-p", String(port)],
            log: folder["output"],
            port: port
        )
        let server = try authority.server("good")
        let session = try session(Proxy(.socks5, host: "127.0.0.1", port: port))
        #expect(try await session.data(for: request("https://localhost:\(server.port)/")).status == .ok)
        let error = await #expect(throws: TransportError.self) {
            try await session.data(from: "https://no-such-host.invalid/")
        }
        #expect(error?.code == .proxyFailed, "\(String(describing: error))")
        withExtendedLifetime(daemon) {}
    }

    @Test func theProxySeesNothingThatIsTheServers() async throws {
        let proxy = RawServer("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        let session = try session(Proxy(.http, host: "127.0.0.1", port: proxy.port))
        let error = await #expect(throws: TransportError.self) {
            try await session.data(for: request("https://example.invalid/path?secret"))
        }
        #expect(error?.code == .proxyFailed)
        let received = try #require(proxy.received.first)
        #expect(received.hasPrefix("CONNECT example.invalid:443 HTTP/1.1\r\n"))
        #expect(!received.contains("secret") && !received.lowercased().contains("authorization"))
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func aProxyElsewhereDoesNotServeThisMachine(_ host: String) async throws {
        let server = RawServer()
        let session = try session(Proxy(.http, host: "proxy.invalid", port: 3128))
        #expect(try await session.data(for: request("http://\(host):\(server.port)/")).text == "ok")
    }

    @Test func aProxyThatIsNotThereIsAnError() async throws {
        let session = try session(Proxy(.http, host: "127.0.0.1", port: Loopback.freePort()))
        let error = await #expect(throws: TransportError.self) {
            try await session.data(from: "https://example.invalid/")
        }
        #expect(error?.code == .proxyFailed && error?.isRetryable == true)
        let nowhere = try self.session(Proxy(.http, host: "no-such-proxy.invalid", port: 1))
        let unknown = await #expect(throws: TransportError.self) {
            try await nowhere.data(from: "https://example.invalid/")
        }
        #expect(unknown?.code == .proxyFailed && unknown?.isRetryable == false)
    }

    @Test(arguments: [(403, false), (407, false), (500, false), (502, true), (503, true), (504, true)])
    func aTunnelThatIsRefusedForNowMayBeAskedForAgain(status: Int, isRetryable: Bool) async throws {
        let proxy = RawServer("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n")
        let session = try session(Proxy(.http, host: "127.0.0.1", port: proxy.port))
        let error = await #expect(throws: TransportError.self) {
            try await session.data(from: "https://example.invalid/")
        }
        #expect(error?.code == .proxyFailed && error?.isRetryable == isRetryable, "\(error!)")
    }

    @Test(arguments: [
        ("", 1), ("a b", 1), ("a/b", 1), ("a@b", 1), ("::1", 1), ("a:1", 1), ("a]", 1), ("a", 0),
        ("a", 65536), ("a\0", 1),
    ])
    func whatIsNoProxyIsRefused(host: String, port: Int) throws {
        let error = try #require(throws: TransportError.self) { try Proxy(.http, host: host, port: port) }
        #expect(error.code == .invalidConfiguration)
    }

    @Test func credentialsAreNotShown() throws {
        let proxy = try Proxy(.http, host: "proxy.test", port: 8080, user: "name", password: "hidden")
        var dumped = ""
        dump(proxy, to: &dumped)
        #expect(
            "\(proxy)" == "http://proxy.test:8080" && !dumped.contains("hidden") && !dumped.contains("name")
        )
        #expect(throws: TransportError.self) { try Proxy(.http, host: "a", port: 1, user: "a:b") }
        #expect(throws: TransportError.self) {
            try Proxy(.http, host: "a", port: 1, user: "a", password: "\0")
        }
    }
}
