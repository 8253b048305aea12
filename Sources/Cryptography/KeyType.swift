/// The kinds of key that this library uses.
public enum KeyType: Sendable, Hashable {
    /// NIST P-256, also called secp256r1 and prime256v1.
    case p256
    /// NIST P-384, also called secp384r1.
    case p384
    /// NIST P-521, also called secp521r1.
    case p521
    /// Ed25519 of RFC 8032.
    case ed25519
    /// Ed448 of RFC 8032.
    case ed448
    /// RSA with a modulus of so many bits: 2048 to 8192.
    case rsa(bits: Int)
    /// RSA with a modulus of so many bits, for RSASSA-PSS alone (RFC 4055, section 1.2); the hash is the only one that the
    /// key may be used with, nil leaves it open.
    case rsaPSS(bits: Int, hash: HashAlgorithm?)

    /// The width in octets of one coordinate and of a scalar, for the elliptic curves of NIST; nil for the others.
    public var coordinateLength: Int? {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        case .ed25519, .ed448, .rsa, .rsaPSS: nil
        }
    }

    /// The size of the modulus of an RSA key; nil for the others.
    var modulusBits: Int? {
        switch self {
        case .rsa(let bits), .rsaPSS(let bits, _): bits
        case .p256, .p384, .p521, .ed25519, .ed448: nil
        }
    }
}
