import Cryptography
import Encodings
import HTTPMessages
import MessageSignatures
import Testing

/// Signatures of RFC 9421, appendix B.2, whose algorithms have only one signature for a message.
@Suite("Message signatures: values of the standard") struct KnownValueTests {
    static func request() throws -> HTTPRequest {
        var fields = HTTPFields()
        try fields.append("example.com", for: .host)
        try fields.append("Tue, 20 Apr 2021 02:07:55 GMT", for: .date)
        try fields.append("application/json", for: .contentType)
        try fields.append("18", for: .contentLength)
        return try HTTPRequest(
            method: .post,
            url: "https://example.com/foo?param=Value&Pet=dog",
            fields: fields,
            body: HTTPBody(#"{"hello": "world"}"#)
        )
    }

    @Test("B.2.5: HMAC with SHA-256") func hmac() throws {
        let secret =
            "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="
        let key = try HMACKey(SecretBytes(Base64.standard.decode(secret)), .sha256)
        let components = ["\"date\"", "\"@authority\"", "\"content-type\""]
        var signer = MessageSigner(
            key: try MessageSigningKey(key),
            label: "sig-b25",
            components: try components.map { try ComponentIdentifier(parsing: $0) },
            now: { 1_618_884_473 }
        )
        signer.keyIdentifier = "test-shared-secret"
        let signed = try signer.sign(Self.request())
        #expect(
            signed.fields["Signature-Input"]
                == #"sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret""#
        )
        #expect(signed.fields["Signature"] == "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:")
    }

    @Test("B.2.6: Ed25519") func ed25519() throws {
        let key = try MessageVerificationKey(
            PublicKey(ed25519: Base64.url.decode("JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs")),
            algorithm: .ed25519
        )
        var request = try Self.request()
        try request.fields.append(
            #"sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length")"#
                + #";created=1618884473;keyid="test-key-ed25519""#,
            for: "Signature-Input"
        )
        try request.fields.append(
            "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:",
            for: "Signature"
        )
        let policy = VerificationPolicy(requiredComponents: [.method, .authority, .path])
        let verifier = MessageVerifier(policy: policy, now: { 1_618_884_473 }) { identifier in
            identifier == "test-key-ed25519" ? key : nil
        }
        let verified = try verifier.verify(SignableMessage(request))
        #expect(verified.label == "sig-b26")
        #expect(verified[.method] == "POST")
        #expect(verified[.authority] == "example.com")
        #expect(verified[.query] == nil)
        #expect(verified.keyIdentifier == "test-key-ed25519")
        #expect(verified.algorithm == .ed25519)
        request.method = .put
        let error = #expect(throws: SignatureError.self) { try verifier.verify(SignableMessage(request)) }
        #expect(error?.code == .signatureInvalid)
    }
}
