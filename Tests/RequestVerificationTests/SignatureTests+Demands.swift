import HTTPMessages
import JSONWebTokens
import MessageSignatures
import ProtectionTesting
import RequestVerification
import StructuredFields
import Testing
import Timing

extension SignatureTests {
    @Test func theFirstLineMayGiveAWholeURL() throws {
        let request = try request(body: nil)
        let url = request.target.absoluteString
        let signer = MessageSigner(
            key: try MessageSigningKey(installation, algorithm: .ecdsaP256SHA256),
            label: "install",
            components: [
                .method, .targetURI, .requestTarget, .field("Protection-Token"), .field(.authorization),
            ],
            now: { [time] in time.source.secondsSince1970 }
        )
        var signed = request
        try signer.signature(of: SignableMessage(request, requestTarget: url)).add(to: &signed.fields)
        _ = try verifier().verify(signed, requestTarget: url)
        try refuse(signed, .invalidSignature)
    }

    @Test func contentThatIsNotAtHandIsTheServersFault() throws {
        var signed = try sign(request())
        signed.body = HTTPBody(file: "/nowhere")
        try refuse(signed, .unavailable, status: .serviceUnavailable)
    }

    @Test func theDemandsOfTheStandardAreThePolicys() throws {
        let tagged = try sign(request()) { $0.tag = "app" }
        _ = try verifier { $0.requiredTag = "app" }.verify(tagged)
        try refuse(tagged, .insufficientSignature, by: verifier { $0.requiredTag = "other" })
        try refuse(sign(request()), .contentMismatch, by: verifier { $0.minimumDigest = .sha512 })
        let small = try verifier { $0.limits.baseLength = 10 }
        #expect(throws: VerificationError.self) { try small.verify(sign(request())) }
        var structured = try request()
        try structured.fields.set("a=1,   b", for: "X-Dict")
        let component = try ComponentIdentifier("x-dict", parameters: ["sf": true])
        let signed = try sign(structured) {
            $0.fieldTypes["x-dict"] = .dictionary
            $0.components.append(component)
        }
        _ = try verifier { $0.fieldTypes["x-dict"] = .dictionary }.verify(signed)
        #expect(throws: VerificationError.self) { try verifier().verify(signed) }
    }

    @Test func whatWasVerifiedIsNotPrinted() throws {
        let verified = try verifier().verify(sign(request()))
        var text = "\(verified)"
        dump(verified, to: &text)
        #expect(text.contains("\"authorization\": <11 octets>"))
        #expect(!text.contains("Bearer user") && !text.contains(verified.token.compactText))
    }
}
