import AppAttestation
import Cryptography
import Encodings
import TestVectors
import Testing

@Suite(
    "WebAuthn's vectors",
    .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence))
)
struct WebAuthnTests {
    @Test func eightOfFifteenCasesAreSupported() {
        #expect(WebAuthnFixture.supported.count == 8)
        #expect(WebAuthnFixture.file?.cases.count == 15)
    }

    @Test(arguments: WebAuthnFixture.supported)
    func verifies(vector: WebAuthnFixture.Case) throws {
        let (object, keyID, hash) = try vector.registered()
        let proof = try WebAuthnFixture.verifier().verify(object, keyID: keyID, clientDataHash: hash)
        #expect(proof.key.scheme == .webAuthn)
        #expect(proof.key.environment == nil)
        #expect(proof.certificates.isEmpty == (vector.name == "packed-self-es256"))

        let use = vector.authentication
        let assertion = try AssertionVerifier().verify(
            authenticatorData: Hex.decode(use.authenticatorData),
            signature: Hex.decode(use.signature),
            clientDataHash: HashAlgorithm.sha256.hash(Hex.decode(use.clientDataJSON)),
            key: proof.key
        )
        #expect(assertion.counter == 0)
        #expect(assertion.authenticatorData.isUserPresent)
        // A key that has counted once must go on counting.
        var counted = proof.key
        counted.counter = 1
        let error = try #require(throws: AttestationError.self) {
            try AssertionVerifier().verify(
                authenticatorData: Hex.decode(use.authenticatorData),
                signature: Hex.decode(use.signature),
                clientDataHash: HashAlgorithm.sha256.hash(Hex.decode(use.clientDataJSON)),
                key: counted
            )
        }
        #expect(error.code == .counterNotAdvanced)
    }

    @Test(arguments: WebAuthnFixture.supported)
    func everyFlippedBitOfARegistrationIsRefused(vector: WebAuthnFixture.Case) throws {
        let (object, keyID, hash) = try vector.registered()
        let verifier = try WebAuthnFixture.verifier()
        for position in object.indices {
            var changed = object
            changed[position] ^= 1 << (position % 8)
            #expect(throws: AttestationError.self, "octet \(position)") {
                try verifier.verify(changed, keyID: keyID, clientDataHash: hash)
            }
        }
    }

    @Test(arguments: WebAuthnFixture.supported)
    func everyFlippedBitOfAnAssertionIsRefused(vector: WebAuthnFixture.Case) throws {
        let (object, keyID, hash) = try vector.registered()
        let key = try WebAuthnFixture.verifier().verify(object, keyID: keyID, clientDataHash: hash).key
        let use = vector.authentication
        let data = try Hex.decode(use.authenticatorData)
        let whole = try data + Hex.decode(use.signature)
        let useHash = try HashAlgorithm.sha256.hash(Hex.decode(use.clientDataJSON))
        for position in whole.indices {
            var changed = whole
            changed[position] ^= 1 << (position % 8)
            let error = try #require(throws: AttestationError.self, "octet \(position)") {
                try AssertionVerifier().verify(
                    authenticatorData: Array(changed[..<data.count]),
                    signature: Array(changed[data.count...]),
                    clientDataHash: useHash,
                    key: key
                )
            }
            #expect([.invalidSignature, .malformedAuthenticatorData].contains(error.code))
        }
    }

    @Test(
        arguments: WebAuthnFixture.cases {
            $0.hasPrefix("none") || $0.hasPrefix("apple") || $0.hasPrefix("android") || $0.hasPrefix("fido")
        }
    )
    func formatsThatAreNotRegisteredAreRefused(vector: WebAuthnFixture.Case) throws {
        let (object, keyID, hash) = try vector.registered()
        let error = try #require(throws: AttestationError.self) {
            try WebAuthnFixture.verifier().verify(object, keyID: keyID, clientDataHash: hash)
        }
        #expect(error.code == .unknownFormat)
    }

    @Test(arguments: WebAuthnFixture.supported)
    func changesAreRefusedByName(vector: WebAuthnFixture.Case) throws {
        let (object, keyID, hash) = try vector.registered()
        let file = try #require(WebAuthnFixture.file)
        let isSelf = vector.name == "packed-self-es256"
        let isTPM = vector.name == "tpm-es256"
        func code(
            _ verifier: AttestationVerifier,
            _ keyID: [UInt8],
            _ hash: [UInt8]
        ) throws
            -> AttestationError.Code
        {
            try #require(throws: AttestationError.self) {
                try verifier.verify(object, keyID: keyID, clientDataHash: hash)
            }.code
        }
        var other = hash
        other[31] ^= 1
        let verifier = try WebAuthnFixture.verifier()
        #expect(try code(verifier, keyID, other) == (isTPM ? .nonceMismatch : .invalidSignature))
        #expect(try code(verifier, keyID + [0], hash) == .credentialIDMismatch)
        let stranger = try CertificateBuilder(
            commonName: "another root",
            role: .authority(pathLength: nil),
            notBefore: 0,
            notAfter: 4_000_000_000
        ).selfSigned(with: .generate(.p256))
        let strict = try AttestationVerifier(
            appIDs: [file.rpId],
            formats: [PackedFormat(roots: [stranger]), TPMFormat(roots: [stranger])],
            time: .fixed(1_750_000_000)
        )
        #expect(
            try code(strict, keyID, hash) == (isSelf ? .selfAttestationNotAllowed : .untrustedCertificate)
        )
        let elsewhere = try AttestationVerifier(
            appIDs: ["example.com"],
            formats: [
                PackedFormat(
                    roots: [Certificate(der: Hex.decode(file.attestationRoot.attestation_ca_cert))],
                    allowsSelfAttestation: true
                ),
                TPMFormat(
                    roots: [Certificate(der: Hex.decode(file.attestationRoot.attestation_ca_cert))],
                    allowsPortableKeys: true
                ),
            ],
            time: .fixed(1_750_000_000)
        )
        #expect(try code(elsewhere, keyID, hash) == .appIDMismatch)
        guard isTPM else { return }
        let bound = try AttestationVerifier(
            appIDs: [file.rpId],
            formats: [
                TPMFormat(roots: [Certificate(der: Hex.decode(file.attestationRoot.attestation_ca_cert))])
            ],
            time: .fixed(1_750_000_000)
        )
        #expect(try code(bound, keyID, hash) == .portableKeyNotAllowed)
    }
}
