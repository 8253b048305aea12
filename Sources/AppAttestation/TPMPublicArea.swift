import Cryptography

/// A TPMT_PUBLIC: the key as the TPM describes it (TPM 2.0, part 2, section 12.2.4).
struct TPMPublicArea {
    /// The hash of the key's name, TPM_ALG_ID.
    let nameAlgorithm: UInt16
    /// What the TPM may do with the key, TPMA_OBJECT.
    private let attributes: UInt32
    /// The key.
    let publicKey: PublicKey

    /// Reads an ECC key over P-256 or P-384, or an RSA key, with any scheme.
    init(_ bytes: [UInt8]) throws(AttestationError) {
        var reader = TPMReader(bytes)
        let type = try reader.uint16()
        nameAlgorithm = try reader.uint16()
        attributes = try reader.uint32()
        _ = try reader.sized()  // authPolicy
        let key: () throws(CryptographyError) -> PublicKey
        switch type {
        case 0x0023:
            try Self.skipSymmetric(&reader)
            try Self.skipScheme(&reader)
            let curveNumber = try reader.uint16()
            try Self.skipScheme(&reader)  // the key derivation
            let curve: KeyType? = curveNumber == 3 ? .p256 : curveNumber == 4 ? .p384 : nil
            let (x, y) = (try reader.sized(), try reader.sized())
            guard let curve, let width = curve.coordinateLength, x.count <= width, y.count <= width else {
                throw AttestationError(.unsupportedKey, "the TPM's key is not over P-256 or P-384")
            }
            let point = [4] + Self.padded(x, width) + Self.padded(y, width)
            key = { () throws(CryptographyError) in try PublicKey(x963: point, curve: curve) }
        case 0x0001:
            try Self.skipSymmetric(&reader)
            try Self.skipScheme(&reader)
            let bits = try reader.uint16()
            let exponent = try reader.uint32()
            let modulus = try reader.sized()
            guard modulus.count * 8 == Int(bits) else {
                throw AttestationError(.malformedTPMStructure, "the TPM's key is not as long as it says")
            }
            // 0 stands for 2^16 + 1 (section 12.2.3.5).
            let number = exponent == 0 ? 65_537 : exponent
            let octets = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
            key = { () throws(CryptographyError) in try PublicKey(modulus: modulus, exponent: octets) }
        default: throw AttestationError(.unsupportedKey, "the TPM's key is neither ECC nor RSA")
        }
        try reader.finish()
        do throws(CryptographyError) { publicKey = try key() } catch {
            throw AttestationError(.unsupportedKey, "the TPM's key is not usable", underlying: error)
        }
    }

    /// Whether the key was made in the TPM and can never leave it: fixedTPM, fixedParent and sensitiveDataOrigin (section
    /// 8.3).
    var isBoundToTPM: Bool {
        let bits: UInt32 = 1 << 1 | 1 << 4 | 1 << 5
        return attributes & bits == bits
    }

    /// The hash that an algorithm's number stands for; SHA-1 has none here.
    static func hash(_ identifier: UInt16) -> HashAlgorithm? {
        switch identifier {
        case 0x000B: .sha256
        case 0x000C: .sha384
        case 0x000D: .sha512
        default: nil
        }
    }

    private static let null: UInt16 = 0x0010

    private static func skipSymmetric(_ reader: inout TPMReader) throws(AttestationError) {
        // A key that signs has no cipher; a restricted one for decryption is of no use here.
        guard try reader.uint16() == null else {
            throw AttestationError(.malformedTPMStructure, "the TPM's key is not one that signs")
        }
    }

    private static func skipScheme(_ reader: inout TPMReader) throws(AttestationError) {
        switch try reader.uint16() {
        case null: break
        // RSASSA, RSAPSS, ECDSA, and the key derivations: each names a hash.
        case 0x0014, 0x0016, 0x0018, 0x0007, 0x0020, 0x0021, 0x0022: _ = try reader.uint16()
        default: throw AttestationError(.malformedTPMStructure, "the scheme of the TPM's key is unknown")
        }
    }

    private static func padded(_ number: [UInt8], _ width: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: width - number.count) + number
    }
}
