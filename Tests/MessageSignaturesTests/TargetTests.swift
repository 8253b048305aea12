import Cryptography
import HTTPMessages
import MessageSignatures
import StructuredFields
import Testing

@Suite("Signable targets and fields") struct TargetTests {
    @Test(
        "A URI is split and not changed",
        arguments: [
            ("https://example.com", "https", "example.com", "/", nil, "https://example.com/"),
            ("HTTP://Example.COM:80?q#f", "http", "example.com", "/", "q", "HTTP://Example.COM:80/?q"),
            (
                "https://u:p@[2001:DB8::1]:8443/a//b/../%2f?", "https", "[2001:db8::1]:8443", "/a//b/../%2f",
                "",
                "https://[2001:DB8::1]:8443/a//b/../%2f?"
            ),
            ("http://a:443/?x??y", "http", "a:443", "/", "x??y", "http://a:443/?x??y"),
        ] as [(String, String, String, String, String?, String)]
    )
    func splitting(
        _ url: String,
        _ scheme: String,
        _ authority: String,
        _ path: String,
        _ query: String?,
        _ uri: String
    ) throws {
        let target = try SignableTarget(url)
        #expect(target.scheme == scheme)
        #expect(target.authority == authority)
        #expect(target.path == path)
        #expect(target.query == query)
        #expect(target.uri == uri)
    }

    @Test(
        "What cannot be a target",
        arguments: [
            "", "/path", "https:", "https:/a", "https://", "https:///p", "https://:443/", "https://[::1",
            "https://[]/",
            "https://[::1]x/", "https://::1/", "https://a:70000/", "https://a:-1/", "https://a:1:2/",
            "https://a b/",
            "https://a/\n", "https://a/é", "1https://a/", "https://a\\b/", "https://a/\u{7F}",
        ]
    )
    func refused(_ url: String) {
        #expect(refusal { try SignableTarget(url) } == .malformedURL)
    }

    private func value(_ component: ComponentIdentifier, of message: SignableMessage) throws -> String? {
        try SignatureBase(covering: [component], parameters: SignatureParameters([]), of: message)
            .components.first?.value
    }

    @Test("Crumbs of a cookie are one value before it is encoded (RFC 9113, section 8.2.3)")
    func crumbs() throws {
        var message = SignableMessage(method: .get, target: try SignableTarget("https://a/"), version: .http2)
        message.fields = [FieldLine("cookie", "a=1"), FieldLine("cookie", "b=2")]
        let component = try ComponentIdentifier("cookie", parameters: ["bs": true])
        #expect(try value(component, of: message) == ":YT0xOyBiPTI=:")
        message.version = .http1
        #expect(try value(component, of: message) == ":YT0x:, :Yj0y:")
    }

    @Test("The target of the first line may be a whole URL (RFC 9421, section 2.2.5)")
    func absoluteForm() throws {
        let request = try HTTPRequest(url: "http://a.test/p?q")
        #expect(try value(.requestTarget, of: SignableMessage(request)) == "/p?q")
        let received = SignableMessage(request, requestTarget: "http://a.test/p?q")
        #expect(try value(.requestTarget, of: received) == "http://a.test/p?q")
    }

    @Test(
        "The target of a request is what its receiver sees",
        arguments: [
            ("HTTPS://A.Example:443/P?q#f", "https://a.example/P?q"), ("http://a", "http://a/"),
            ("http://A:80/%2F", "http://a/%2F"), ("http://[::1]:81/?", "http://[::1]:81/?"),
            ("https://a:80//x/../y", "https://a:80//x/../y"),
        ]
    )
    func agreement(_ url: String, _ received: String) throws {
        #expect(try SignableTarget(RequestTarget(url)) == SignableTarget(received))
    }

    @Test("Field lines keep their octets and show none") func lines() {
        let line = FieldLine("X-K\u{212A}", " secret ")
        #expect(line.name == "x-k\u{212A}")
        #expect(line.value == Array(" secret ".utf8))
        #expect(line.description == "x-k\u{212A}: <8 octets>")
        var types = FieldTypes.standard
        #expect(types["Content-Digest"] == .dictionary)
        #expect(types["Date"] == nil)
        types["DATE"] = .item
        #expect(types["date"] == .item)
    }

    @Test("Keys and errors show nothing") func secrets() throws {
        let pair = try TestSigner(.hmacSHA256)
        #expect(try String(describing: pair.signingKey()) == "MessageSigningKey(hmac-sha256)")
        #expect(try String(describing: pair.verificationKey()) == "MessageVerificationKey(hmac-sha256)")
        var text = ""
        dump(try pair.signingKey(), to: &text)
        dump(try pair.verificationKey(), to: &text)
        #expect(!text.contains("SecretBytes"))
        let error = SignatureError(.fieldMissing, "the message has no such field", component: "\"date\"")
        #expect(error.description == "fieldMissing: the message has no such field (\"date\")")
    }

    @Test("A key fits its algorithm alone", arguments: MessageSignatureAlgorithm.allCases)
    func keys(_ algorithm: MessageSignatureAlgorithm) throws {
        let key = try PrivateKey.generate(.ed25519)
        let isRight = algorithm == .ed25519
        #expect(
            refusal { try MessageSigningKey(key, algorithm: algorithm) }
                == (isRight ? nil : .algorithmMismatch)
        )
        #expect(
            refusal { try MessageVerificationKey(key.publicKey, algorithm: algorithm) }
                == (isRight ? nil : .algorithmMismatch)
        )
    }

    @Test("A shared key under another hash is refused") func otherHash() throws {
        let key = try HMACKey(SecretBytes.random(count: 64), .sha512)
        #expect(refusal { try MessageSigningKey(key) } == .algorithmMismatch)
        #expect(refusal { try MessageVerificationKey(key) } == .algorithmMismatch)
    }
}
