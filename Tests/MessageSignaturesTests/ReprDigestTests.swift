import HTTPMessages
import MessageSignatures
import Testing

@Suite("Repr-Digest, and what a peer wants") struct ReprDigestTests {
    private let pair: TestSigner
    private let signer: MessageSigner
    private static let components: [ComponentIdentifier] = [.contentDigest, .field(.reprDigest)]

    init() throws {
        pair = try TestSigner(.ed25519)
        signer = try pair.signer(Self.components)
    }

    private func verify(
        _ message: SignableMessage,
        _ change: (inout VerificationPolicy) -> Void = { _ in }
    ) throws -> VerifiedMessage {
        var policy = VerificationPolicy(requiredComponents: Self.components)
        change(&policy)
        return try pair.verifier(policy).verify(message)
    }

    /// A response whose `Repr-Digest` is made by hand, of its content or of something else.
    private func response(
        _ digested: String,
        status: HTTPStatus = .ok,
        _ fields: [(HTTPField.Name, String)] = []
    ) throws -> HTTPResponse {
        var response = HTTPResponse(status: status, body: Array("content".utf8))
        try response.fields.set(DigestField(of: response.body).serialized, for: .contentDigest)
        try response.fields.set(DigestField(of: Array(digested.utf8)).serialized, for: .reprDigest)
        for (name, value) in fields { try response.fields.set(value, for: name) }
        return response
    }

    @Test("A request gets both digests, and both are compared") func request() throws {
        let request = try HTTPRequest(method: .put, url: "https://a.test/", body: HTTPBody("content"))
        var signed = try signer.sign(request, digesting: [.sha256])
        #expect(signed.fields[.reprDigest] == signed.fields[.contentDigest])
        let verified = try verify(SignableMessage(signed))
        #expect(verified.isRepresentationVerified && verified.isContentVerified)
        for body in [HTTPBody("CONTENT"), nil] {
            signed.body = body
            let code = refusal { try verify(SignableMessage(signed)) { $0.checksContentDigest = false } }
            #expect(code == .contentDigestMismatch)
        }
        let off = try verify(SignableMessage(signed)) {
            ($0.checksContentDigest, $0.checksReprDigest) = (false, false)
        }
        #expect(!off.isRepresentationVerified && !off.isContentVerified)
    }

    @Test(
        "A part, and what is encoded, get none and are not compared",
        arguments: ["Content-Range", "Content-Encoding"] as [HTTPField.Name]
    )
    func parts(_ name: HTTPField.Name) throws {
        var request = try HTTPRequest(method: .put, url: "https://a.test/", body: HTTPBody("content"))
        try request.fields.set("x", for: name)
        #expect(refusal { try signer.sign(request, digesting: [.sha256]) } == .fieldMissing)
        let part = try signer.sign(response("whole content", [(name, "x")]), answering: nil)
        let verified = try verify(SignableMessage(part, answering: nil))
        #expect(verified.isContentVerified && !verified.isRepresentationVerified)
    }

    @Test("Of responses those with status 200 are compared, but for HEAD") func responses() throws {
        let get = try HTTPRequest(url: "https://a.test/")
        func verified(_ response: HTTPResponse, _ request: HTTPRequest? = nil) throws -> Bool {
            let signed = try signer.sign(response, answering: request)
            return try verify(SignableMessage(signed, answering: request)).isRepresentationVerified
        }
        #expect(try verified(response("content")))
        #expect(try verified(response("content"), get))
        #expect(refusal { try verified(response("other")) } == .contentDigestMismatch)
        #expect(try !verified(response("other", status: HTTPStatus(206))))
        var head = try response("content")
        head.body = []
        try head.fields.set(DigestField(of: []).serialized, for: .contentDigest)
        #expect(try !verified(head))
        #expect(try !verified(head, HTTPRequest(method: .head, url: "https://a.test/")))
        #expect(refusal { try verified(head, get) } == .contentDigestMismatch)
    }

    @Test(
        "A response has the digests that its request wants",
        arguments: [
            (nil, nil, .sha256, "sha-256", "sha-256"),
            ("sha-512=3, sha-256=1", "sha-256=1", .sha256, "sha-512", "sha-256"),
            ("sha-256=9", "md5=9", .sha512, "sha-512", "sha-512"),
            ("rubbish", "sha-512=9", .sha256, "sha-256", "sha-512"),
        ] as [(String?, String?, DigestAlgorithm, String, String)]
    )
    func wishes(
        _ content: String?,
        _ representation: String?,
        _ minimum: DigestAlgorithm,
        _ first: String,
        _ second: String
    ) throws {
        var request = try HTTPRequest(url: "https://a.test/")
        if let content { try request.fields.set(content, for: .wantContentDigest) }
        if let representation { try request.fields.set(representation, for: .wantReprDigest) }
        let response = HTTPResponse(status: .ok, body: Array("content".utf8))
        let signed = try signer.sign(response, answering: request, digestingAtLeast: minimum)
        #expect(signed.fields[.contentDigest]?.hasPrefix(first + "=:") == true)
        #expect(signed.fields[.reprDigest]?.hasPrefix(second + "=:") == true)
        #expect(try verify(SignableMessage(signed, answering: request)).isRepresentationVerified)
    }
}
