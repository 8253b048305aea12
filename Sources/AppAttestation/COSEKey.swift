public import Cryptography

/// A public key in the form of COSE (RFC 9053, section 7) as WebAuthn writes it: with its algorithm and without options.
public struct COSEKey: Sendable, Hashable {
    /// The key.
    public let publicKey: PublicKey
    /// The one algorithm that the key is for.
    public let algorithm: SignatureAlgorithm

    /// Reads a map with exactly the members of its key type.
    ///
    /// Taken are ES256 over P-256, ES384 over P-384, ES512 over P-521, EdDSA over Ed25519, Ed448, and RS and PS with SHA-256,
    /// 384 and 512.
    ///
    /// - Throws: ``AttestationError`` with code `malformedAuthenticatorData` or `unsupportedKey`.
    public init(_ value: CBORValue) throws(AttestationError) {
        guard let members = value.members, let type = value[1]?.integer, let identifier = value[3]?.integer
        else { throw Self.malformed }
        guard let algorithm = Self.algorithms[identifier] else {
            throw AttestationError(.unsupportedKey, "the algorithm of the COSE key is not supported")
        }
        self.algorithm = algorithm
        switch (type, algorithm) {
        case (2, .ecdsaP256SHA256), (2, .ecdsaP384SHA384), (2, .ecdsaP521SHA512):
            guard members.count == 5, let curve = Self.curves[value[-1]?.integer ?? 0],
                algorithm.fits(curve), let x = value[-2]?.byteString, let y = value[-3]?.byteString,
                x.count == curve.coordinateLength, y.count == curve.coordinateLength
            else { throw Self.malformed }
            publicKey = try Self.usable { () throws(CryptographyError) in
                try PublicKey(x963: [4] + x + y, curve: curve)
            }
        case (1, .ed25519):
            guard members.count == 4, value[-1]?.integer == 6, let x = value[-2]?.byteString, x.count == 32
            else { throw Self.malformed }
            publicKey = try Self.usable { () throws(CryptographyError) in try PublicKey(ed25519: x) }
        case (1, .ed448):
            guard members.count == 4, value[-1]?.integer == 7, let x = value[-2]?.byteString, x.count == 57
            else { throw Self.malformed }
            publicKey = try Self.usable { () throws(CryptographyError) in try PublicKey(ed448: x) }
        case (3, _) where algorithm.fits(.rsa(bits: 2048)):
            guard members.count == 4, let modulus = value[-1]?.byteString,
                let exponent = value[-2]?.byteString, modulus.first != 0, exponent.first != 0
            else { throw Self.malformed }
            publicKey = try Self.usable { () throws(CryptographyError) in
                try PublicKey(modulus: modulus, exponent: exponent)
            }
        default: throw Self.malformed
        }
    }

    private static func usable(
        _ key: () throws(CryptographyError) -> PublicKey
    ) throws(AttestationError) -> PublicKey {
        do throws(CryptographyError) { return try key() } catch {
            throw AttestationError(.unsupportedKey, "the COSE key is not usable", underlying: error)
        }
    }

    /// The curves by their numbers in COSE (RFC 9053, section 7.1).
    private static let curves: [Int64: KeyType] = [1: .p256, 2: .p384, 3: .p521]

    /// The signature algorithms by their numbers in COSE (RFC 9053, section 2; RFC 8812, section 2; RFC 9864, section 2.2).
    static let algorithms: [Int64: SignatureAlgorithm] = [
        -7: .ecdsaP256SHA256, -35: .ecdsaP384SHA384, -36: .ecdsaP521SHA512, -8: .ed25519, -53: .ed448,
        -257: .rsaPKCS1SHA256, -258: .rsaPKCS1SHA384, -259: .rsaPKCS1SHA512,
        -37: .rsaPSSSHA256, -38: .rsaPSSSHA384, -39: .rsaPSSSHA512,
    ]

    private static var malformed: AttestationError {
        AttestationError(.malformedAuthenticatorData, "the COSE key does not have the members of its type")
    }
}
