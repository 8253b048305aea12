import HTTPInterceptors
import HTTPMessages
import Testing

@Suite("Location") struct LocationTests {
    /// Where a redirect with this location leads to from the base of RFC 3986, section 5.4.
    private func target(of location: String, from base: String = "http://a/b/c/d;p?q") async throws -> String?
    {
        let session = FakeSession { _, number in
            let fields = HTTPFields([try HTTPField(.location, location)])
            return HTTPResponse(status: number == 0 ? try HTTPStatus(307) : .ok, fields: fields)
        }
        _ = try await session.data(for: try HTTPRequest(url: base), interceptors: [RedirectInterceptor()])
        return session.requests.last?.target.absoluteString
    }

    /// All examples that name something HTTP can request; a fragment is not sent.
    @Test(arguments: [
        // Section 5.4.1.
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
        // Section 5.4.2.
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
        ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("g#s/./x", "http://a/b/c/g"), ("g#s/../x", "http://a/b/c/g"),
    ]) func theExamplesOfTheStandard(location: String, expected: String) async throws {
        #expect(try await target(of: location) == expected)
    }

    @Test(arguments: [
        ("http://a/b", "https://B.example:8443/x/../y?z#f", "https://B.example:8443/y?z"),
        ("http://a:8080/b/c?d", "e", "http://a:8080/b/e"), ("http://a/b/c?d", "?", "http://a/b/c?"),
        ("http://a/b/c?d", "e?", "http://a/b/e?"), ("http://a", "e", "http://a/e"),
        ("http://a?x", "e", "http://a/e"),
        ("http://a/b/", "./c:d/e", "http://a/b/c:d/e"),
        ("http://a/b/./c/../d", "#f", "http://a/b/./c/../d"),
        ("http://a/b/./c/../d", "?q", "http://a/b/./c/../d?q"),
        ("http://a/b/./c/../d", "e", "http://a/b/e"), ("http://a//b//c", "d", "http://a//b//d"),
        ("http://a/b", "//c//d", "http://c//d"), ("http://a/b", "/%2e%2e/c", "http://a/%2e%2e/c"),
        ("https://[::1]:8443/b", "c", "https://[::1]:8443/c"), ("http://a/b", "HTTPS://c/d", "https://c/d"),
        ("http://a/b", "//c?d", "http://c/?d"), ("http://a/b", "/.//c.example/d", "http://a//c.example/d"),
        ("http://a/b", "?x=http://c/", "http://a/b?x=http://c/"),
        ("http://a/b", "/c?d#e?f#g", "http://a/c?d"),
        ("http://a/b/c", "../../..", "http://a/"), ("http://a/b/c/", "..", "http://a/b/"),
    ]) func moreReferences(base: String, location: String, expected: String) async throws {
        let sent = try await target(of: location, from: base)
        #expect(sent.map { $0.replacing("HTTPS:", with: "https:") } == expected)
    }

    @Test(arguments: [
        ("http:g", "invalidLocation"), ("http:", "invalidLocation"), ("http:/g", "invalidLocation"),
        ("http:///g", "invalidLocation"), ("https:.//evil.example/", "invalidLocation"),
        ("http:a//evil.example/", "invalidLocation"), ("http:/.//evil.example/", "invalidLocation"),
        ("https://user@b/", "invalidLocation"), ("https://user:secret@b/", "invalidLocation"),
        ("//", "invalidLocation"), ("///x", "invalidLocation"), ("//b:0/", "invalidLocation"),
        ("//b:99999/", "invalidLocation"), ("//b./", "invalidLocation"), ("https://b c/", "invalidLocation"),
        ("/a b", "invalidLocation"), ("/a\\b", "invalidLocation"), ("\\\\evil.example", "invalidLocation"),
        ("/\\evil.example", "invalidLocation"), ("/%zz", "invalidLocation"), ("/%2", "invalidLocation"),
        ("/ä", "invalidLocation"), ("/<x>", "invalidLocation"), (":x", "invalidLocation"),
        ("1http://b/", "invalidLocation"), ("ht\ttp://b/", "invalidLocation"),
        ("g:h", "unsupportedScheme"), ("javascript:alert(1)", "unsupportedScheme"),
        ("file:///etc/passwd", "unsupportedScheme"),
        ("ftp://b/", "unsupportedScheme"), ("data:,x", "unsupportedScheme"),
        ("httpx://b/", "unsupportedScheme"),
        ("mailto:a@b", "unsupportedScheme"), ("ws://b/", "unsupportedScheme"),
    ]) func whatCannotBeRequestedIsRefused(location: String, code: String) async throws {
        let error = try await #require(throws: RedirectError.self) {
            try await target(of: location, from: "https://a/b/c")
        }
        #expect(error.code.description == code)
        #expect(error.status.code == 307 && error.host == "a")
        for secret in ["secret", "evil", "passwd"] { #expect(!"\(error)".contains(secret)) }
    }
}
