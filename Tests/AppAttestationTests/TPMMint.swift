import AppAttestation
import Cryptography

/// Makes statements as a TPM would, of keys with any attributes.
struct TPMMint {
    private let mint: TestMint
    private let attestationKey: PrivateKey

    init() throws {
        mint = try TestMint()
        attestationKey = try .generate(.p256)
    }

    var keyID: [UInt8] { mint.keyID }

    func verifier(allowsPortableKeys: Bool = false) throws -> AttestationVerifier {
        try AttestationVerifier(
            appIDs: [TestMint.appID],
            formats: [TPMFormat(roots: [mint.root], allowsPortableKeys: allowsPortableKeys)],
            time: .fixed(TestMint.now)
        )
    }

    /// An attestation of the mint's key, which the TPM says has these attributes (TPMA_OBJECT).
    func attestation(attributes: UInt32) throws -> [UInt8] {
        let data = try mint.authenticatorData(TestMint.Parts())
        let point = mint.key.publicKey.x963 ?? []
        let area =
            [0x00, 0x23, 0x00, 0x0B] + CBOREncoder.bigEndian(UInt64(attributes), 4) + sized([])
            + [0x00, 0x10, 0x00, 0x10, 0x00, 0x03, 0x00, 0x10]
            + sized(Array(point[1..<33])) + sized(Array(point[33...]))
        let name = try [0x00, 0x0B] + HashAlgorithm.sha256.hash(area)
        let info =
            try [0xFF, 0x54, 0x43, 0x47, 0x80, 0x17] + sized([])
            + sized(HashAlgorithm.sha256.hash(data + TestMint.hash))
            + [UInt8](repeating: 0, count: 25) + sized(name) + sized([])
        let signature = try attestationKey.sign(info, using: .ecdsaP256SHA256, encoding: .der)
        return CBOREncoder.encode(
            CBOREncoder.map([
                "fmt": .text("tpm"),
                "attStmt": CBOREncoder.map([
                    "ver": .text("2.0"), "alg": .negative(6),
                    "x5c": .array([.bytes(try certificate()), .bytes(mint.authority.der)]),
                    "sig": .bytes(signature), "certInfo": .bytes(info), "pubArea": .bytes(area),
                ]),
                "authData": .bytes(data),
            ])
        )
    }

    private func sized(_ octets: [UInt8]) -> [UInt8] {
        CBOREncoder.bigEndian(UInt64(octets.count), 2) + octets
    }

    /// The certificate of the attestation key (WebAuthn, section 8.3.1).
    private func certificate() throws -> [UInt8] {
        func entry(_ identifier: [UInt8], _ value: [UInt8], isCritical: Bool = false) -> [UInt8] {
            DER.sequence(
                DER.identifier(identifier),
                isCritical ? DER.element(.boolean, [0xFF]) : [],
                DER.element(.octetString, value)
            )
        }
        let attributes = (1...3).map { (number: UInt8) in
            DER.element(
                .set,
                DER.sequence(
                    DER.identifier([0x67, 0x81, 0x05, 0x02, number]),
                    DER.element(.utf8String, Array("id:1".utf8))
                )
            )
        }
        let directoryName = DER.element(.sequence, Array(attributes.joined()))
        let extensions =
            entry([0x55, 0x1D, 0x13], DER.element(.sequence, []), isCritical: true)
            + entry(
                [0x55, 0x1D, 0x11],
                DER.sequence(DER.element(.constructed(4), directoryName)),
                isCritical: true
            )
            + entry([0x55, 0x1D, 0x25], DER.sequence(DER.identifier([0x67, 0x81, 0x05, 0x08, 0x03])))
        let algorithm = DER.sequence(DER.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]))
        let body = DER.sequence(
            DER.element(.constructed(0), DER.element(.integer, [2])),
            DER.unsigned([0x51, 0x02]),
            algorithm,
            mint.authority.subjectDER,
            DER.sequence(
                DER.element(.utcTime, Array("260101000000Z".utf8)),
                DER.element(.utcTime, Array("270101000000Z".utf8))
            ),
            DER.element(.sequence, []),
            attestationKey.publicKey.spkiDER,
            DER.element(.constructed(3), DER.element(.sequence, extensions))
        )
        let signature = try mint.authorityKey.sign(body, using: .ecdsaP384SHA384, encoding: .der)
        return DER.sequence(body, algorithm, DER.bitString(signature))
    }
}
