import AWSSigning
import FoundationEssentials
import HTTPMessages
import Testing

@Suite("Secrecy") struct SecrecyTests {
    private static let token = "SECRET-TOKEN-0123456789"

    private func shown(_ value: Any) -> String {
        var text = "\(value) \(String(reflecting: value))"
        dump(value, to: &text)
        return text
    }

    @Test func credentialsShowNoSecret() throws {
        let credentials = try Example.credentials(token: Self.token)
        for value in [
            credentials, StaticCredentialsProvider(credentials), [credentials], ("x", credentials),
            AWSEnvironment(["AWS_SECRET_ACCESS_KEY": Example.secret, "AWS_SESSION_TOKEN": Self.token]),
        ] as [Any] {
            let text = shown(value)
            #expect(!text.contains(Example.secret) && !text.contains(Self.token))
        }
        #expect("\(credentials)" == "AWSCredentials(AKIAIOSFODNN7EXAMPLE, with a session token)")
    }

    @Test func signedRequestsShowNoToken() throws {
        let signer = try Example.s3Signer()
        let signed = try signer.sign(
            HTTPRequest(
                .put,
                "https://example.com/k?token=\(Self.token)&acl&list-type=2",
                [
                    ("x-amz-server-side-encryption-customer-key", "Y3VzdG9tZXI="), ("Cookie", "session=abc"),
                    ("X-Api-Key", Self.token), ("X-Vault-Token", Self.token),
                    ("Content-Type", "text/plain"),
                ]
            ),
            with: Example.credentials(token: Self.token)
        )
        let url = try signer.presign(
            HTTPRequest(.get, "https://example.com/k?token=\(Self.token)", [("X-Api-Key", Self.token)]),
            with: Example.credentials(token: Self.token),
            expiresIn: .seconds(60)
        )
        for text in [
            "\(signed)", "\(signed.canonicalRequest)", signed.canonicalRequest.redacted,
            "\(signed.stringToSign)",
            "\(signed.request.fields)", "\(url)", "\(url.canonicalRequest)", url.canonicalRequest.redacted,
        ] {
            #expect(!text.contains(Self.token) && !text.contains(Example.secret))
            #expect(!text.contains("Y3VzdG9tZXI=") && !text.contains("session=abc"))
        }
        for value in [signed, url, signed.canonicalRequest] as [Any] {
            let text = shown(value)
            #expect(!text.contains(Self.token) && !text.contains(signed.signature) && !text.contains("- 0: "))
            #expect(Mirror(reflecting: value).children.isEmpty)
        }
        #expect(signed.canonicalRequest.redacted.contains("x-amz-security-token:<23 octets>"))
        for line in [
            "host:example.com", "content-type:text/plain", "x-api-key:<23 octets>",
            "x-amz-date:20130524T000000Z",
            "acl=&list-type=2&token=<23 octets>",
        ] {
            #expect(signed.canonicalRequest.redacted.contains("\n\(line)\n"), Comment(rawValue: line))
        }
        for part in [
            "X-Amz-Security-Token=<23 octets>", "&token=<23 octets>", "X-Amz-Date=20130524T000000Z",
            "X-Amz-Expires=60", "\nx-api-key:<23 octets>\n",
        ] {
            #expect(url.canonicalRequest.redacted.contains(part), Comment(rawValue: part))
        }
        #expect(!shown(RequestSigner(.r2)).contains(Example.secret))
    }

    @Test func formsShowNoValues() throws {
        let form = try Example.s3Signer().sign(
            PostPolicy(
                expiration: Example.date.addingTimeInterval(60),
                conditions: [.equals(field: "bucket", value: "b"), .startsWith(field: "key", prefix: "")]
            ),
            with: Example.credentials(token: Self.token)
        )
        #expect(!shown(form).contains(Self.token) && !shown(form).contains(form.signature))
    }
}
