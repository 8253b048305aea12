@testable import AWSSigning
import Cryptography
import Encodings
import HTTPMessages
import Testing

@Suite("SigV4a") struct AsymmetricTests {
    /// Signatures are random, so what is published is the canonical form and the public key that credentials lead to.
    @Test func theDerivedKeyIsThePublishedOne() throws {
        let signer = RequestSigner(
            try ServiceProfile(service: "service", region: "us-east-1"),
            scheme: try .ecdsa(regions: ["us-east-1"])
        )
        let signed = try signer.sign(
            HTTPRequest(.get, "https://example.amazonaws.com/"),
            with: Example.suiteCredentials(),
            at: Example.suiteDate
        )
        #expect(
            signed.canonicalRequest.text == """
                GET
                /

                host:example.amazonaws.com
                x-amz-date:20150830T123600Z
                x-amz-region-set:us-east-1

                host;x-amz-date;x-amz-region-set
                e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                """
        )
        try verify(signed.signature, signed)
        let again = try signer.sign(signed.request, with: Example.suiteCredentials(), at: Example.suiteDate)
        #expect(again.stringToSign == signed.stringToSign && again.signature != signed.signature)
        try verify(again.signature, signed)
    }

    @Test func theQueryHoldsTheSetOfRegions() throws {
        let signed = try RequestSigner(
            ServiceProfile(service: "service", region: "us-east-1"),
            scheme: .ecdsa(regions: ["us-east-1", "us-west-*"])
        ).presign(
            HTTPRequest(.get, "https://example.amazonaws.com/"),
            with: Example.suiteCredentials(),
            expiresIn: .seconds(3_600),
            at: Example.suiteDate
        )
        #expect(
            signed.request.target.query == "X-Amz-Algorithm=AWS4-ECDSA-P256-SHA256"
                + "&X-Amz-Credential=AKIDEXAMPLE%2F20150830%2Fservice%2Faws4_request&X-Amz-Date=20150830T123600Z"
                + "&X-Amz-SignedHeaders=host&X-Amz-Expires=3600&X-Amz-Region-Set=us-east-1%2Cus-west-%2A"
                + "&X-Amz-Signature=\(signed.signature)"
        )
        try verify(signed.signature, signed)
    }

    @Test func aSetOfRegions() throws {
        let signer = RequestSigner(
            try .s3(region: "us-east-1"),
            scheme: try .ecdsa(regions: ["us-west-2", "eu-*"])
        )
        let signed = try signer.sign(
            HTTPRequest(.get, "https://b.s3.amazonaws.com/k"),
            with: Example.suiteCredentials(),
            at: Example.suiteDate
        )
        #expect(signed.request["X-Amz-Region-Set"] == "us-west-2,eu-*")
        #expect(signed.canonicalRequest.signedFields.contains("x-amz-region-set"))
        #expect(signed.stringToSign.scope == "20150830/s3/aws4_request")
        try verify(signed.signature, signed)
    }

    /// Candidates around the order of the curve, which no secret that is known leads to.
    @Test(
        arguments: [
            ("00", "01"), ("ff", nil),
            (
                "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254f",
                "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550"
            ),
            ("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550", nil),
            (
                "00000000000000000000000000000000000000000000000000000000000000ff",
                "0000000000000000000000000000000000000000000000000000000000000100"
            ),
        ] as [(String, String?)]
    )
    func candidates(text: String, expected: String?) throws {
        func whole(_ text: String) throws -> [UInt8] {
            let octets = try Hex.decode(text)
            return octets.count == 32
                ? octets : [UInt8](repeating: octets[0] == 0xFF ? 0xFF : 0, count: 31) + octets
        }
        var candidate = try whole(text)
        let scalar = AsymmetricKeyDerivation.scalar(moving: &candidate)
        #expect(scalar == (try expected.map { SecretBytes(try whole($0)) }))
        // What is left of the number is nothing.
        #expect(candidate.isEmpty)
    }

    private func verify(_ signature: String, _ signed: SignedRequest) throws {
        #expect(
            try Example.publicKey().isValidSignature(
                Hex.decode(signature),
                for: signed.stringToSign.bytes,
                using: .ecdsaP256SHA256,
                encoding: .der
            )
        )
    }
}
