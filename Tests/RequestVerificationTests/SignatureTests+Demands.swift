import HTTPMessages
import JSONWebTokens
import MessageSignatures
import ProtectionTesting
import RequestVerification
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

    @Test func whatWasVerifiedIsNotPrinted() throws {
        let verified = try verifier().verify(sign(request()))
        var text = "\(verified)"
        dump(verified, to: &text)
        #expect(text.contains("\"authorization\": <11 octets>"))
        #expect(!text.contains("Bearer user") && !text.contains(verified.token.compactText))
    }
}
