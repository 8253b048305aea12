import AppAttestation
import Cryptography
import Encodings
import Foundation
import TestVectors
import Testing

/// The test vectors of WebAuthn Level 3, section 16.
struct WebAuthnFixture: Decodable, Sendable {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        struct Registration: Decodable, Sendable {
            let clientDataJSON: String
            let attestationObject: String
            let credential_id: String
        }
        struct Authentication: Decodable, Sendable {
            let authenticatorData: String
            let clientDataJSON: String
            let signature: String
        }
        var name: String? = ""
        let registration: Registration
        let authentication: Authentication

        var testDescription: String { name ?? "" }

        func registered() throws -> (object: [UInt8], keyID: [UInt8], hash: [UInt8]) {
            (
                try Hex.decode(registration.attestationObject),
                try Hex.decode(registration.credential_id),
                try HashAlgorithm.sha256.hash(Hex.decode(registration.clientDataJSON))
            )
        }
    }
    struct Root: Decodable, Sendable { let attestation_ca_cert: String }

    let rpId: String
    let cases: [String: Case]
    let attestationRoot: Root

    static let file: WebAuthnFixture? = try? ConformanceData.decode(
        WebAuthnFixture?.self,
        from: "webauthn/w3c-level3.json",
        absent: nil
    )

    static func cases(_ isWanted: (String) -> Bool) -> [Case] {
        (file?.cases ?? [:]).filter { isWanted($0.key) }.sorted { $0.key < $1.key }
            .map { name, value in
                var value = value
                value.name = name
                return value
            }
    }

    static let supported = cases {
        $0.hasPrefix("packed") || $0.hasPrefix("tpm")
    }

    static func verifier() throws -> AttestationVerifier {
        let file = try #require(file)
        let root = try Certificate(der: Hex.decode(file.attestationRoot.attestation_ca_cert))
        return try AttestationVerifier(
            appIDs: [file.rpId],
            // The TPM's key has no attribute but that it signs.
            formats: [
                PackedFormat(roots: [root], allowsSelfAttestation: true),
                TPMFormat(roots: [root], allowsPortableKeys: true),
            ],
            time: .fixed(1_750_000_000)
        )
    }
}
