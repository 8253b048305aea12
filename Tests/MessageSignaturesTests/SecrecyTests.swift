import HTTPMessages
import MessageSignatures
import Testing

@Suite("Message signatures: what is printed") struct SecrecyTests {
    private static let secret = "correct-horse-battery"

    private func shown(_ value: Any) -> String {
        var text = "\(value) \([value])"
        dump(value, to: &text)
        return text
    }

    @Test("Covered values are in no description and no dump") func values() throws {
        let pair = try TestSigner(.ed25519)
        var request = try HTTPRequest(method: .post, url: "https://a.test/p?key=\(Self.secret)")
        try request.fields.set("Bearer \(Self.secret)", for: .authorization)
        request.body = HTTPBody(Self.secret)
        let components: [ComponentIdentifier] = [.method, .query, .targetURI, .field(.authorization)]
        let signed = try pair.signer(components).sign(request)
        let message = SignableMessage(signed)
        let response = SignableMessage(status: .ok, answering: message, content: Array(Self.secret.utf8))
        let verified = try pair.verifier(VerificationPolicy(requiredComponents: components)).verify(message)
        let signature = try pair.signer(components, label: "b").signature(of: message)
        let draft = try SignatureDraft(
            label: "c",
            covering: components,
            parameters: SignatureParameters([]),
            of: message
        )
        let values: [Any] = [
            verified, verified.components, verified.components[3], signature, signature.base, draft, message,
            response, try SignableTarget("https://a.test/p?key=\(Self.secret)"), message.fields,
            FieldLine("Authorization", Self.secret),
        ]
        let octets = Array(Self.secret.utf8).prefix(4).map(String.init)
        for value in values {
            let text = shown(value)
            #expect(!text.contains(Self.secret))
            // Nor as octets, in one line or in one each.
            #expect(!text.contains(octets.joined(separator: ", ")))
            #expect(!text.contains("- \(octets[0])\n"))
        }
        #expect("\(verified.components[3])" == "\"authorization\": <28 octets>")
        #expect("\(verified)".hasPrefix("sig1, ed25519: ["))
    }
}
