import AWSSigning
import Cryptography
import HTTPMessages
import Testing

/// Faults that other signers had, by what they got wrong.
@Suite("Canonical form") struct CanonicalTests {
    private func canonical(
        _ url: String,
        _ fields: [(String, String)] = [],
        profile: ServiceProfile? = nil
    ) throws -> [String] {
        let profile = try profile ?? .s3(region: "us-east-1")
        return try RequestSigner(profile).sign(
            HTTPRequest(.get, url, fields),
            with: Example.credentials(),
            at: Example.date
        ).canonicalRequest.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test(arguments: ["X-Hop", "x-hop, close", "close ,\tX-HOP", "keep-alive,x-hop"])
    func whatConnectionNamesIsNotSigned(connection: String) throws {
        let lines = try canonical(
            "https://example.com/",
            [("Connection", connection), ("X-Hop", "1"), ("X-Hops", "2")]
        )
        #expect(!lines.contains { $0.hasPrefix("x-hop:") || $0.hasPrefix("connection:") })
        #expect(lines.contains("x-hops:2"))
        #expect(lines.contains("host;x-amz-content-sha256;x-amz-date;x-hops"))
    }

    /// No request can take a part of the signature out of it.
    @Test func whatTheSignatureAddsIsSignedAllTheSame() throws {
        let lines = try canonical("https://example.com/", [("Connection", "x-amz-date, host")])
        #expect(lines.contains("host;x-amz-content-sha256;x-amz-date"))
    }

    @Test(arguments: [
        ("", "/"), ("/", "/"), ("//", "//"), ("/a/", "/a/"), ("//a//b/", "//a//b/"),
        ("/./a/../b", "/./a/../b"),
        ("/.", "/."), ("/a~b", "/a~b"), ("/a%7Eb", "/a~b"), ("/a%7eb", "/a~b"), ("/a+b", "/a%2Bb"),
        ("/a%2bb", "/a%2Bb"), ("/a%20b", "/a%20b"), ("/a%2Fb", "/a%2Fb"), ("/a%2fb", "/a%2Fb"),
        ("/%25", "/%25"), ("/%2525", "/%2525"), ("/a=b&c", "/a%3Db%26c"), ("/(a)!*'", "/%28a%29%21%2A%27"),
        ("/a:b@c", "/a%3Ab%40c"), ("/%E1%88%B4", "/%E1%88%B4"), ("/%e1%88%b4", "/%E1%88%B4"),
        ("/%00", "/%00"), ("/a;b,c$", "/a%3Bb%2Cc%24"),
    ])
    func objectPath(path: String, expected: String) throws {
        #expect(try canonical("https://example.com\(path)")[1] == expected)
    }

    @Test(arguments: [
        ("", "/"), ("//", "/"), ("/a/", "/a/"), ("//a//b/", "/a/b/"), ("/a/./b/../c", "/a/c"), ("/..", "/"),
        ("/../../a", "/a"), ("/a/..", "/"), ("/a/../", "/"), ("/a/b/..", "/a"), ("/a/b/../", "/a/"),
        ("/a%20b", "/a%2520b"), ("/v1%3A0", "/v1%253A0"), ("/v1:0", "/v1%3A0"), ("/@c", "/%40c"),
        ("/a%2Fb", "/a%252Fb"), ("/~a", "/~a"), ("/...", "/..."), ("/.a", "/.a"),
    ])
    func servicePath(path: String, expected: String) throws {
        let profile = try ServiceProfile(service: "execute-api", region: "us-east-1")
        #expect(try canonical("https://example.com\(path)", profile: profile)[1] == expected)
    }

    @Test(arguments: [
        ("?", ""), ("?acl", "acl="), ("?acl=", "acl="), ("?b&a", "a=&b="), ("?a=2&a=1", "a=1&a=2"),
        ("?a-b=1&a=2", "a=2&a-b=1"), ("?a=1&A=1", "A=1&a=1"), ("?a=%7e", "a=~"), ("?a=~", "a=~"),
        ("?a=%2f", "a=%2F"), ("?a=/", "a=%2F"), ("?a=b=c", "a=b%3Dc"), ("?a=*", "a=%2A"), ("?a=%20", "a=%20"),
        ("?a=%2B", "a=%2B"), ("?&a=1&&b=2&", "a=1&b=2"), ("?=v", "=v"), ("?a%20b=1", "a%20b=1"),
        ("?uploads&prefix=%E1%88%B4", "prefix=%E1%88%B4&uploads="), ("?a=1&a%2D=2&a0=3", "a=1&a-=2&a0=3"),
    ])
    func query(query: String, expected: String) throws {
        #expect(try canonical("https://example.com/\(query)")[2] == expected)
    }

    @Test(arguments: [
        ("https://example.com/", "example.com"), ("https://EXAMPLE.com/", "example.com"),
        ("https://example.com:443/", "example.com"), ("http://example.com:80/", "example.com"),
        ("http://example.com:443/", "example.com:443"), ("https://example.com:8443/", "example.com:8443"),
        ("http://[::1]:9000/", "[::1]:9000"),
    ])
    func host(url: String, expected: String) throws {
        let lines = try canonical(url, [("Host", expected)])
        #expect(lines.filter { $0.hasPrefix("host:") } == ["host:\(expected)"])
        #expect(try canonical(url) == lines)
    }

    @Test(arguments: [
        "Accept-Encoding", "CDN-Loop", "CF-Ray", "Connection", "Expect", "Forwarded", "Keep-Alive",
        "Max-Forwards", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection",
        "Sec-WebSocket-Key", "Sec-WebSocket-Protocol", "Sec-WebSocket-Version", "TE", "Trailer",
        "Transfer-Encoding", "Upgrade", "User-Agent", "Via", "X-Amzn-Trace-Id", "X-Forwarded-For",
        "X-Forwarded-Proto", "X-Real-IP", "traceparent", "tracestate",
    ])
    func neverSigned(name: String) throws {
        let signer = try Example.s3Signer()
        let request = try HTTPRequest(.get, "https://example.com/", [(name, "caf\u{E9}")])
        let signed = try signer.sign(request, with: Example.credentials())
        #expect(signed.canonicalRequest.signedFields == "host;x-amz-content-sha256;x-amz-date")
        #expect(signed.request.fields.first == request.fields.first)
    }

    @Test(arguments: [
        "Range", "Date", "Content-Type", "Content-MD5", "Content-Length", "Cache-Control", "If-None-Match",
        "x-amz-acl", "x-amz-meta-user-agent", "X-Amz-Target", "x-amzn-other", "Cookie", "Accept",
    ])
    func signed(name: String) throws {
        let lines = try canonical("https://example.com/", [(name, "value")])
        #expect(lines.contains("\(name.lowercased()):value"))
        #expect(lines[lines.count - 2].split(separator: ";").map(String.init).contains(name.lowercased()))
    }

    @Test(arguments: [
        ("a  b", "a b"), ("a \t b", "a b"), ("a\tb", "a b"), ("", ""), (#""a  b""#, #""a b""#),
        ("a,b", "a,b"),
    ])
    func blanks(value: String, expected: String) throws {
        #expect(try canonical("https://example.com/", [("My-Field", value)]).contains("my-field:\(expected)"))
    }

    @Test func linesOfOneNameAreOneValueInTheirOrder() throws {
        let lines = try canonical(
            "https://example.com/",
            [("My-Field", "b"), ("Other", "x"), ("my-field", "a"), ("MY-FIELD", "")]
        )
        #expect(lines.contains("my-field:b,a,"))
    }

    @Test func fieldsThatAnIntermediaryOfTheServiceChanges() throws {
        var profile = try ServiceProfile.s3(region: "us-east-1")
        profile.unsignedFields = ["Cache-Control"]
        let lines = try canonical("https://example.com/", [("cache-control", "no-store")], profile: profile)
        #expect(!lines.contains { $0.hasPrefix("cache-control") })
    }

    @Test func signingAgainReplacesTheSignature() throws {
        let signer = try Example.s3Signer()
        let request = try HTTPRequest(.put, "https://example.com/k", [("x-amz-acl", "private")], body: "a")
        let first = try signer.sign(request, with: Example.credentials(token: "FIRST"), payload: .unsigned)
        let second = try signer.sign(first.request, with: Example.credentials(token: "SECOND"))
        let fresh = try signer.sign(request, with: Example.credentials(token: "SECOND"))
        #expect(second.request == fresh.request)
    }

    @Test func theBodyIsWhatIsHashed() throws {
        let signer = try Example.s3Signer()
        let given = try signer.sign(
            HTTPRequest(.put, "https://example.com/k"),
            with: Example.credentials(),
            payload: .digest(HashAlgorithm.sha256.hash(Array("abc".utf8)))
        )
        let computed = try signer.sign(
            HTTPRequest(.put, "https://example.com/k", body: "abc"),
            with: Example.credentials()
        )
        #expect(given.signature == computed.signature)
        #expect(
            computed.request["x-amz-content-sha256"]
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        let unsigned = try signer.sign(
            HTTPRequest(.put, "https://example.com/k", body: "abc"),
            with: Example.credentials(),
            payload: .unsigned
        )
        #expect(unsigned.request["x-amz-content-sha256"] == "UNSIGNED-PAYLOAD")
    }

    @Test(arguments: [HTTPMethod.get, .head, .put, .post, .delete, .patch, .options])
    func everyMethodCanBePresigned(method: HTTPMethod) throws {
        let signed = try Example.s3Signer().presign(
            HTTPRequest(method, "https://example.com/k?versionId=a"),
            with: Example.credentials(),
            expiresIn: .seconds(1)
        )
        #expect(signed.canonicalRequest.text.hasPrefix("\(method)\n/k\n"))
        #expect(signed.request.target.query?.hasPrefix("versionId=a&X-Amz-Algorithm=") == true)
    }

    @Test func aPresignedDigestIsTold() throws {
        let digest = try HashAlgorithm.sha256.hash(Array("abc".utf8))
        let signed = try Example.s3Signer().presign(
            HTTPRequest(.put, "https://example.com/k"),
            with: Example.credentials(),
            expiresIn: .seconds(60),
            payload: .digest(digest)
        )
        #expect(signed.request.target.query?.contains("&X-Amz-Content-Sha256=ba7816bf") == true)
        #expect(signed.canonicalRequest.text.contains("&X-Amz-Content-Sha256=ba7816bf"))
    }

    @Test func theTokenCanBeAddedAfter() throws {
        var profile = try ServiceProfile(service: "iotdevicegateway", region: "us-east-1")
        profile.signsSessionToken = false
        let signer = RequestSigner(profile)
        let token = try signer.sign(
            HTTPRequest(.get, "https://example.com/mqtt"),
            with: Example.credentials(token: "TOK+"),
            at: Example.date
        )
        let plain = try signer.sign(
            HTTPRequest(.get, "https://example.com/mqtt"),
            with: Example.credentials(),
            at: Example.date
        )
        #expect(token.signature == plain.signature)
        #expect(token.request["X-Amz-Security-Token"] == "TOK+")
        let url = try signer.presign(
            HTTPRequest(.get, "https://example.com/mqtt"),
            with: Example.credentials(token: "TOK+"),
            expiresIn: .seconds(60),
            at: Example.date
        )
        #expect(url.request.target.query?.contains("&X-Amz-Security-Token=TOK%2B&X-Amz-Signature=") == true)
        #expect(!url.canonicalRequest.text.contains("Token"))
    }
}
