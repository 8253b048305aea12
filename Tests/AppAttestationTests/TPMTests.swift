import AppAttestation
import Cryptography
import Encodings
import TestVectors
import Testing

/// A statement that a software TPM made.
struct TPMFixture: Decodable, Sendable {
    struct Assertion: Decodable, Sendable {
        let clientDataHex: String
        let authenticatorDataHex: String
        let signatureHex: String
    }
    let appId: String
    let clientDataHex: String
    let attestationObjectHex: String
    let caCertHex: String
    let assertion: Assertion
}

@Suite(
    "A TPM's statement",
    .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence))
)
struct TPMTests {
    @Test func verifiesAndIsRefusedWhenABitFlips() throws {
        let file = try #require(
            try ConformanceData.decode(
                TPMFixture?.self,
                from: "webauthn/tpm-made-on-swtpm.json",
                absent: nil
            )
        )
        let root = try Certificate(der: Hex.decode(file.caCertHex))
        let verifier = try AttestationVerifier(
            appIDs: [file.appId],
            formats: [TPMFormat(roots: [root])],
            time: .fixed(root.notBefore + 86_400)
        )
        let object = try Hex.decode(file.attestationObjectHex)
        let keyID = try AttestationObject(object).credential.credentialID
        let hash = try HashAlgorithm.sha256.hash(Hex.decode(file.clientDataHex))
        let proof = try verifier.verify(object, keyID: keyID, clientDataHash: hash)
        let assertion = try AssertionVerifier().verify(
            authenticatorData: Hex.decode(file.assertion.authenticatorDataHex),
            signature: Hex.decode(file.assertion.signatureHex),
            clientDataHash: HashAlgorithm.sha256.hash(Hex.decode(file.assertion.clientDataHex)),
            key: proof.key
        )
        #expect(assertion.counter == 1)
        for position in object.indices {
            var changed = object
            changed[position] ^= 1 << (position % 8)
            #expect(throws: AttestationError.self, "octet \(position)") {
                try verifier.verify(changed, keyID: keyID, clientDataHash: hash)
            }
        }
    }

    /// The public area is read after the signature of the TPM, which is not over it, was found right.
    @Test(arguments: [0, 1, 9, -1, 1000])
    func aPublicAreaThatIsCutOrGoesOnIsRefused(length: Int) throws {
        let file = try #require(
            try ConformanceData.decode(
                TPMFixture?.self,
                from: "webauthn/tpm-made-on-swtpm.json",
                absent: nil
            )
        )
        let root = try Certificate(der: Hex.decode(file.caCertHex))
        let verifier = try AttestationVerifier(
            appIDs: [file.appId],
            formats: [TPMFormat(roots: [root])],
            time: .fixed(root.notBefore + 86_400)
        )
        let object = try Hex.decode(file.attestationObjectHex)
        let parsed = try AttestationObject(object)
        let members = try #require(parsed.statement.members).map { member in
            guard member.key.textString == "pubArea", let area = member.value.byteString else {
                return member
            }
            let changed =
                length < 0 ? area.dropLast(-length) : length < area.count ? area.prefix(length) : area + [0]
            return CBORMember(member.key, .bytes(Array(changed)))
        }
        let changed = CBORWriter.encode(
            CBORWriter.map([
                "fmt": .text(parsed.format), "attStmt": .map(members),
                "authData": .bytes(parsed.authenticatorData.bytes),
            ])
        )
        let hash = try HashAlgorithm.sha256.hash(Hex.decode(file.clientDataHex))
        let error = try #require(throws: AttestationError.self) {
            try verifier.verify(changed, keyID: parsed.credential.credentialID, clientDataHash: hash)
        }
        #expect(error.code == .malformedTPMStructure)
    }
}
