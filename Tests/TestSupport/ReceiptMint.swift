package import Cryptography

/// Makes receipts of Apple's form under a root of its own, in force from 2025 to 2040.
package struct ReceiptMint {
    /// 2025-01-01T00:00:00Z and 2040-01-01T00:00:00Z.
    private static let times: (from: Int64, to: Int64) = (1_735_689_600, 2_208_988_800)

    package let root: Certificate
    private let rootKey: PrivateKey
    private let signerKey: PrivateKey
    private let attested: Certificate

    /// Makes a mint for the receipts of one attested key.
    package init(attestedKey: PublicKey) throws {
        rootKey = try .generate(.p256)
        signerKey = try .generate(.p256)
        root = try CertificateBuilder(
            commonName: "receipt root",
            role: .authority(pathLength: nil),
            notBefore: Self.times.from,
            notAfter: Self.times.to
        ).selfSigned(with: rootKey)
        attested = try CertificateBuilder(
            commonName: "attested",
            role: .client,
            notBefore: Self.times.from,
            notAfter: Self.times.to
        ).issued(for: attestedKey, by: root, key: rootKey)
    }

    /// The fields that a receipt must have, by their numbers.
    package func fields(appID: String) -> [(UInt8, [UInt8])] {
        [
            (2, Array(appID.utf8)), (3, attested.der), (4, [UInt8](repeating: 7, count: 32)),
            (6, Array("ATTEST".utf8)), (7, Array("sandbox".utf8)), (12, Array("2025-06-01T00:00:00Z".utf8)),
            (17, Array("3".utf8)), (21, Array("2039-01-01T00:00:00.5Z".utf8)),
        ]
    }

    /// A receipt of fields, signed.
    package func receipt(_ fields: [(UInt8, [UInt8])]) throws -> [UInt8] {
        let content = fields.flatMap { number, value in
            DER.sequence(DER.unsigned([number]), DER.unsigned([1]), DER.element(.octetString, value))
        }
        return try receipt(content: DER.element(.set, content))
    }

    /// A receipt of any content, signed: SignedData of RFC 5652, section 5.1, without signed attributes.
    package func receipt(content: [UInt8]) throws -> [UInt8] {
        let sha256 = DER.sequence(DER.identifier([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]))
        let data = DER.identifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01])
        let signature = try signerKey.sign(content, using: .ecdsaP256SHA256, encoding: .der)
        let signer = DER.sequence(
            DER.unsigned([1]),
            DER.sequence(root.subjectDER, Self.serial),
            sha256,
            Self.algorithm,
            DER.element(.octetString, signature)
        )
        let signed = DER.sequence(
            DER.unsigned([1]),
            DER.element(.set, sha256),
            DER.sequence(data, DER.element(.constructed(0), DER.element(.octetString, content))),
            DER.element(.constructed(0), try signerCertificate()),
            DER.element(.set, signer)
        )
        return DER.sequence(
            DER.identifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]),
            DER.element(.constructed(0), signed)
        )
    }

    private static let serial = DER.unsigned([0x51, 0x02])
    private static let algorithm = DER.sequence(
        DER.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])
    )

    /// A certificate with the extension that marks signers of receipts.
    private func signerCertificate() throws -> [UInt8] {
        func entry(_ identifier: [UInt8], _ value: [UInt8], isCritical: Bool = false) -> [UInt8] {
            DER.sequence(
                DER.identifier(identifier),
                isCritical ? DER.element(.boolean, [0xFF]) : [],
                DER.element(.octetString, value)
            )
        }
        let extensions =
            entry([0x55, 0x1D, 0x13], DER.sequence(), isCritical: true)
            + entry([0x55, 0x1D, 0x0F], DER.element(.bitString, [7, 0x80]), isCritical: true)
            + entry([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x0C, 0x0F], DER.element(.null, []))
        let name = DER.sequence(
            DER.element(
                .set,
                DER.sequence(
                    DER.identifier([0x55, 0x04, 0x03]),
                    DER.element(.utf8String, Array("signer".utf8))
                )
            )
        )
        let validity = DER.sequence(
            DER.element(.utcTime, Array("250101000000Z".utf8)),
            DER.element(.utcTime, Array("400101000000Z".utf8))
        )
        let body = DER.sequence(
            DER.element(.constructed(0), DER.element(.integer, [2])),
            Self.serial,
            Self.algorithm,
            root.subjectDER,
            validity,
            name,
            signerKey.publicKey.spkiDER,
            DER.element(.constructed(3), DER.element(.sequence, extensions))
        )
        let signature = try rootKey.sign(body, using: .ecdsaP256SHA256, encoding: .der)
        return DER.sequence(body, Self.algorithm, DER.bitString(signature))
    }
}
