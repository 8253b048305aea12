import HTTPMessages
@testable import HTTPTransport
import Testing

@Suite("What connections are counted by") struct StreamGateKeyTests {
    private func host(_ url: String, through proxy: Proxy? = nil) throws -> String {
        let target = try RequestTarget(url)
        return StreamGate.Key(target, through: proxy?.serving(target), policy: target.isSecure ? "tag" : nil)
            .host
    }

    /// libcurl tells them apart by port and name alone.
    @Test(arguments: [
        ("http://example.com", "http://EXAMPLE.com:80/path"),
        ("http://example.com:443", "https://example.com"),
    ])
    func onePortOfAHostIsOne(_ first: String, _ second: String) throws {
        let hosts = try (host(first), host(second))
        #expect(hosts.0 == hosts.1)
    }

    @Test(arguments: [
        ("http://example.com", "https://example.com"), ("http://example.com", "http://example.org"),
    ])
    func othersAreNot(_ first: String, _ second: String) throws {
        let hosts = try (host(first), host(second))
        #expect(hosts.0 != hosts.1)
    }

    @Test func aProxyForPlainHTTPIsOneHost() throws {
        let proxy = try Proxy(.http, host: "proxy.example", port: 3128)
        let plain = try ["http://example.com", "http://example.org:8080"].map { try host($0, through: proxy) }
        #expect(plain == ["3128/proxy.example", "3128/proxy.example"])
        let others = try ["http://127.0.0.1", "https://example.com"].map { try host($0, through: proxy) }
        #expect(others == ["80/127.0.0.1", "443/example.com"])
    }

    @Test func aProxyThatTunnelsIsNone() throws {
        let proxy = try Proxy(.socks5, host: "proxy.example", port: 1080)
        #expect(try host("http://example.com", through: proxy) == "80/example.com")
    }
}
