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

    /// The width in octets of one coordinate and of a scalar, for the elliptic curves of NIST; nil for the others.
    public var coordinateLength: Int? {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        case .ed25519, .ed448, .rsa: nil
        }
    }
}
