import HTTPMessages
import Testing

@Suite("Request target") struct RequestTargetTests {
    struct Split: Sendable {
        let url: String
        let sent: String
        let authority: String
        let originForm: String
    }

    static let splits = [
        Split(
            url: "https://example.com",
            sent: "https://example.com/",
            authority: "example.com",
            originForm: "/"
        ),
        Split(
            url: "https://example.com?",
            sent: "https://example.com/?",
            authority: "example.com",
            originForm: "/?"
        ),
        Split(
            url: "HTTPS://Example.COM:443/A",
            sent: "HTTPS://Example.COM:443/A",
            authority: "example.com",
            originForm: "/A"
        ),
        Split(url: "http://h:443/", sent: "http://h:443/", authority: "h:443", originForm: "/"),
        Split(url: "https://h:80/", sent: "https://h:80/", authority: "h:80", originForm: "/"),
        Split(url: "http://h:80/", sent: "http://h:80/", authority: "h", originForm: "/"),
        Split(
            url: "https://[2001:DB8::1]:8443/x",
            sent: "https://[2001:DB8::1]:8443/x",
            authority: "[2001:db8::1]:8443",
            originForm: "/x"
        ),
        Split(
            url: "https://h/a/../b/./c//d%2F%7e?x=%20&y#frag",
            sent: "https://h/a/../b/./c//d%2F%7e?x=%20&y",
            authority: "h",
            originForm: "/a/../b/./c//d%2F%7e?x=%20&y"
        ),
        Split(url: "https://h//", sent: "https://h//", authority: "h", originForm: "//"),
        Split(url: "https://h/?a?b", sent: "https://h/?a?b", authority: "h", originForm: "/?a?b"),
        Split(
            url: "https://h/@:;?a[b]=c|d",
            sent: "https://h/@:;?a[b]=c|d",
            authority: "h",
            originForm: "/@:;?a[b]=c|d"
        ),
        Split(url: "https://h#a/b?c", sent: "https://h/", authority: "h", originForm: "/"),
        Split(
            url: "https://127.0.0.1:1/",
            sent: "https://127.0.0.1:1/",
            authority: "127.0.0.1:1",
            originForm: "/"
        ),
        Split(url: "https://a_b-c.d1/", sent: "https://a_b-c.d1/", authority: "a_b-c.d1", originForm: "/"),
    ]

    @Test(arguments: splits) func isSplitOnceAndKept(split: Split) throws {
        let target = try RequestTarget(split.url)
        #expect(target.absoluteString == split.sent)
        #expect(target.authority == split.authority)
        #expect(target.originForm == split.originForm)
    }

    struct Refusal: Sendable {
        let url: String
        let code: HTTPMessageError.Code
        let offset: Int
    }

    static let refusals = [
        Refusal(url: "", code: .unsupportedScheme, offset: 0),
        Refusal(url: "ftp://h/", code: .unsupportedScheme, offset: 0),
        Refusal(url: "https:/h/", code: .unsupportedScheme, offset: 0),
        Refusal(url: "/path", code: .unsupportedScheme, offset: 0),
        Refusal(url: " https://h/", code: .unsupportedScheme, offset: 0),
        Refusal(url: "https://", code: .invalidHost, offset: 8),
        Refusal(url: "https:///path", code: .invalidHost, offset: 8),
        Refusal(url: "https://:443/", code: .invalidHost, offset: 8),
        Refusal(url: "https://user@h/", code: .userInfoNotAllowed, offset: 12),
        Refusal(url: "https://good.example@evil.example/", code: .userInfoNotAllowed, offset: 20),
        Refusal(url: "https://user:secret@h/", code: .userInfoNotAllowed, offset: 19),
        Refusal(url: "https://good.example\\@evil.example/", code: .invalidURLCharacter, offset: 20),
        Refusal(url: "https://h/a\\b", code: .invalidURLCharacter, offset: 11),
        Refusal(url: "https://h /", code: .invalidURLCharacter, offset: 9),
        Refusal(url: "https://h/a b", code: .invalidURLCharacter, offset: 11),
        Refusal(url: "https://h/\t", code: .invalidURLCharacter, offset: 10),
        Refusal(url: "https://h/\r\nX: y", code: .invalidURLCharacter, offset: 10),
        Refusal(url: "https://h/\0", code: .invalidURLCharacter, offset: 10),
        Refusal(url: "https://h/?a=\"b\"", code: .invalidURLCharacter, offset: 13),
        Refusal(url: "https://h/<a>", code: .invalidURLCharacter, offset: 10),
        Refusal(url: "https://bücher.example/", code: .invalidURLCharacter, offset: 9),
        Refusal(url: "https://h/é", code: .invalidURLCharacter, offset: 10),
        Refusal(url: "https://h/?é", code: .invalidURLCharacter, offset: 11),
        Refusal(url: "https://h/a%2", code: .invalidPercentEncoding, offset: 11),
        Refusal(url: "https://h/a%zz", code: .invalidPercentEncoding, offset: 11),
        Refusal(url: "https://h/%?aa", code: .invalidPercentEncoding, offset: 10),
        Refusal(url: "https://exa%6Dple.com/", code: .invalidHost, offset: 11),
        Refusal(url: "https://a..b/", code: .invalidHost, offset: 10),
        Refusal(url: "https://example.com./", code: .invalidHost, offset: 20),
        Refusal(url: "https://.example.com/", code: .invalidHost, offset: 8),
        Refusal(url: "https://h:/", code: .invalidPort, offset: 9),
        Refusal(url: "https://h:0/", code: .invalidPort, offset: 9),
        Refusal(url: "https://h:65536/", code: .invalidPort, offset: 9),
        Refusal(url: "https://h:00443/", code: .invalidPort, offset: 9),
        Refusal(url: "https://h:+443/", code: .invalidPort, offset: 9),
        Refusal(url: "https://h:44a/", code: .invalidPort, offset: 9),
        Refusal(url: "https://a:b:1/", code: .invalidPort, offset: 9),
        Refusal(url: "https://[::1/", code: .invalidHost, offset: 8),
        Refusal(url: "https://[::1]x/", code: .invalidPort, offset: 13),
        Refusal(url: "https://[fe80::1%25eth0]/", code: .invalidHost, offset: 8),
        Refusal(url: "https://[1:2:3]/", code: .invalidHost, offset: 8),
        Refusal(url: "https://[]/", code: .invalidHost, offset: 8),
    ]

    @Test(arguments: refusals) func isStrict(refusal: Refusal) throws {
        let error = try #require(throws: HTTPMessageError.self) { try RequestTarget(refusal.url) }
        #expect(error.code == refusal.code)
        #expect(error.offset == refusal.offset)
        #expect(!error.description.contains("secret"))
    }

    @Test(arguments: [
        ("::", true), ("::1", true), ("1::", true), ("1:2:3:4:5:6:7:8", true), ("::ffff:192.0.2.1", true),
        ("1:2:3:4:5:6:192.0.2.1", true), ("1:2:3:4:5:6:7::", true), ("1:2:3:4:5:6:7", false),
        ("1:2:3:4:5:6:7:8:9", false), ("1::2::3", false), (":1", false), ("12345::", false), ("::g", false),
        ("::1.2.3", false), ("::1.2.3.256", false), ("::01.2.3.4", false), ("1.2.3.4::", false),
        (":::", false),
        ("1:2:3:4:5:6:7:192.0.2.1", false),
    ])
    func ipv6(address: String, isValid: Bool) {
        let target = try? RequestTarget("https://[\(address)]/")
        #expect((target != nil) == isValid)
    }

    @Test(arguments: [
        ("localhost", true), ("127.0.0.1", true), ("127.1.2.3", true), ("[::1]", true),
        ("127.evil.example", false),
        ("127.0.0.1.evil.example", false), ("localhost.evil.example", false), ("128.0.0.1", false),
        ("127.1", false),
    ])
    func loopback(host: String, isLoopback: Bool) throws {
        #expect(try RequestTarget("http://\(host)/").isLoopback == isLoopback)
    }

    @Test func labelLengths() {
        let label = String(repeating: "a", count: 63)
        #expect(throws: Never.self) { try RequestTarget("https://\(label).example/") }
        #expect(throws: HTTPMessageError.self) { try RequestTarget("https://a\(label).example/") }
        let long = Array(repeating: label, count: 4).joined(separator: ".")
        #expect(throws: HTTPMessageError.self) { try RequestTarget("https://\(long)/") }
    }

    @Test func theQueryIsReplacedAndChecked() throws {
        let target = try RequestTarget("https://Example.com/p?a=1")
        #expect(try target.replacingQuery("b=%20").absoluteString == "https://Example.com/p?b=%20")
        #expect(try target.replacingQuery(nil).absoluteString == "https://Example.com/p")
        #expect(throws: HTTPMessageError.self) { try target.replacingQuery("a b") }
        #expect(try target.replacingQuery("x").origin == "https://example.com:443")
    }
}
