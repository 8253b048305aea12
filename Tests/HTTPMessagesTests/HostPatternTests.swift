import HTTPMessages
import Testing

@Suite("Host patterns") struct HostPatternTests {
    @Test(arguments: [
        ("api.example.com", "api.example.com", true), ("API.Example.com", "api.example.com", true),
        ("api.example.com", "x.api.example.com", false),
        ("api.example.com", "api.example.com.evil.example", false),
        ("*.example.com", "a.example.com", true), ("*.example.com", "example.com", false),
        ("*.example.com", "a.b.example.com", false), ("*.example.com", "aexample.com", false),
        ("*.example.com", ".example.com", false), ("127.0.0.1", "127.0.0.1", true), ("[::1]", "[::1]", true),
    ])
    func covers(pattern: String, host: String, isCovered: Bool) throws {
        #expect(try HostPattern(pattern).matches(host) == isCovered)
    }

    @Test(arguments: [
        "", "*", "*.", "a.*", "*.*.a", "a*.b", "a b", "a:1", "a/", "a?b", "a@b", "example.com.",
        "*.example.com:443", "é.de",
    ])
    func refuses(pattern: String) throws {
        let error = try #require(throws: HTTPMessageError.self) { try HostPattern(pattern) }
        #expect(error.code == .invalidHost)
    }
}
