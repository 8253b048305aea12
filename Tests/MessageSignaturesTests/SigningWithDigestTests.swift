import Cryptography
import HTTPMessages
import MessageSignatures
import Testing

@Suite("Signing with a digest") struct SigningWithDigestTests {
    private let key: HMACKey
    private let signer: MessageSigner

    init() throws {
        key = try HMACKey(SecretBytes(Array(0..<32)), .sha256)
        signer = MessageSigner(
            key: try MessageSigningKey(key),
            label: "sig1",
            components: [.method, .contentDigest],
            now: { 1_700_000_000 }
        )
    }

    @Test(
        arguments: [nil, "", "some content"],
        [Set<DigestAlgorithm>([.sha256]), [.sha512], [.sha256, .sha512]]
    )
    func theDigestIsTheOneOfTheContent(_ content: String?, _ algorithms: Set<DigestAlgorithm>) throws {
        var request = try HTTPRequest(method: .post, url: "https://a.test/")
        request.body = content.map { HTTPBody($0) }
        let octets = Array((content ?? "").utf8)
        // One that is there already is of no account.
        try request.fields.set("sha-256=:AAAA:", for: .contentDigest)
        let signed = try signer.sign(request, digesting: algorithms)
        let text = try #require(signed.fields[.contentDigest])
        #expect(text == (try DigestField(of: octets, using: algorithms).serialized))
        var policy = VerificationPolicy(requiredComponents: [.method, .contentDigest])
        policy.maximumAge = 60
        let verificationKey = try MessageVerificationKey(key)
        let verifier = MessageVerifier(policy: policy, now: { 1_700_000_001 }, key: { _ in verificationKey })
        #expect(try verifier.verify(SignableMessage(signed)).isContentVerified)
        // The other way gives the same octets.
        request.fields.removeAll(.contentDigest)
        try request.fields.set(text, for: .contentDigest)
        #expect(try signer.sign(request).fields == signed.fields)
    }

    @Test func aDigestThatSomebodyElseMadeIsCompared() throws {
        var request = try HTTPRequest(method: .post, url: "https://a.test/")
        request.body = HTTPBody("x")
        try request.fields.set(DigestField(of: [], using: [.sha256]).serialized, for: .contentDigest)
        let error = #expect(throws: SignatureError.self) { try signer.sign(request) }
        #expect(error?.code == .contentDigestMismatch)
    }

    @Test func whatCannotBeDigestedIsRefused() throws {
        var request = try HTTPRequest(method: .put, url: "https://a.test/")
        #expect(throws: SignatureError.self) { try signer.sign(request, digesting: []) }
        request.body = HTTPBody(file: "/nowhere")
        let error = #expect(throws: SignatureError.self) { try signer.sign(request, digesting: [.sha256]) }
        #expect(error?.code == .contentUnavailable)
    }
}
