import MessageSignatures
import StructuredFields
import Testing

@Suite("Accept-Signature") struct SignatureRequestTests {
    static let field = #"sig1=("@method" "@query-param";name="a" "date");keyid="k";created;expires;tag="app""#

    private func parse(
        _ text: String,
        limits: SignatureLimits = SignatureLimits()
    ) throws -> [SignatureRequest] {
        try SignatureRequest.parse(Array(text.utf8), limits: limits)
    }

    @Test("A wish is read, and written again") func reading() throws {
        let wish = try #require(try parse(Self.field).first)
        #expect(wish.label == "sig1")
        #expect(
            wish.components.map(\.serialized) == ["\"@method\"", "\"@query-param\";name=\"a\"", "\"date\""]
        )
        #expect(wish.wantsCreated && wish.wantsExpires)
        #expect(wish.keyIdentifier == "k")
        #expect(wish.tag == "app")
        #expect(wish.nonce == nil)
        #expect(try parse(try wish.serialized()) == [wish])
        #expect(try parse("").isEmpty)
        #expect(try parse("a=(), b=()").map(\.label) == ["a", "b"])
    }

    @Test("A wish is answered") func answering() throws {
        let pair = try TestSigner(.ed25519)
        var wish = SignatureRequest(label: "asked", components: [.method, .query])
        (wish.nonce, wish.tag, wish.algorithmName, wish.wantsExpires) = ("n", "t", "ed25519", true)
        wish.parameters["x-app"] = 7
        var signer = try pair.signer([])
        #expect(refusal { try signer.answering(wish) } == .requiredParameterMissing)
        signer.lifetime = 60
        let message = try TestSigner.request()
        let signature = try signer.answering(wish).signature(of: message)
        #expect(
            signature.signatureInputMember
                == #"asked=("@method" "@query");created=1700000000;nonce="n";tag="t";alg="ed25519";expires=1700000060;x-app=7"#
        )
        var policy = VerificationPolicy(requiredComponents: wish.components)
        policy.requiredTag = wish.tag
        _ = try pair.verifier(policy).verify(message.adding(signature), label: wish.label)
        wish.algorithmName = "hmac-sha256"
        #expect(refusal { try signer.answering(wish) } == .algorithmMismatch)
        wish.algorithmName = "hs2019"
        #expect(refusal { try signer.answering(wish) } == .unknownAlgorithm)
        (wish.algorithmName, wish.keyIdentifier) = (nil, "other")
        #expect(refusal { try signer.answering(wish) } == .unknownKey)
    }

    @Test("Parameters of an application keep their place") func unknownParameters() throws {
        let field = #"sig1=("@method");x;tag="app";created;app="v";keyid="k";n=1.5"#
        let wish = try #require(try parse(field).first)
        #expect(try wish.serialized() == field)
        var signer = try TestSigner(.ed25519).signer([])
        (signer.keyIdentifier, signer.lifetime) = ("k", 60)
        #expect(
            try signer.answering(wish).signature(of: TestSigner.request()).signatureInputMember
                == #"sig1=("@method");x;tag="app";created=1700000000;app="v";keyid="k";n=1.5;expires=1700000060"#
        )
    }

    @Test(
        "What is no wish",
        arguments: [
            "sig1", "sig1=1", "sig1=(date)", "sig1=();created=1", "sig1=();tag", "sig1=(", "a=(), a=()",
        ]
    )
    func malformed(_ text: String) {
        #expect(refusal { try parse(text) } == .malformedSignatureRequest)
    }

    @Test("What has no form, and what is too much") func limits() throws {
        #expect(refusal { try SignatureRequest(label: "A", components: []).serialized() } == .invalidLabel)
        var wish = SignatureRequest(label: "a", components: [])
        wish.tag = "\n"
        #expect(refusal { try wish.serialized() } == .unserializableParameter)
        #expect(refusal { try parse("a=(), b=()", limits: SignatureLimits(labels: 1)) } == .limitExceeded)
        #expect(refusal { try parse("a=()", limits: SignatureLimits(fieldLength: 3)) } == .limitExceeded)
        #expect(
            refusal { try parse(#"a=("@method")"#, limits: SignatureLimits(components: 0)) } == .limitExceeded
        )
        #expect(refusal { try parse(#"a=("@foo")"#) } == .unknownDerivedComponent)
    }
}
