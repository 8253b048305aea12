/// A signature algorithm with all its parameters: nothing is left to be taken from a message.
public enum SignatureAlgorithm: Sendable, Hashable, CaseIterable {
    /// ECDSA over P-256 with SHA-256.
    case ecdsaP256SHA256
    /// ECDSA over P-384 with SHA-384.
    case ecdsaP384SHA384
    /// ECDSA over P-521 with SHA-512.
    case ecdsaP521SHA512
    /// Ed25519 of RFC 8032, the pure form.
    case ed25519
    /// Ed448 of RFC 8032, the pure form, with an empty context.
    case ed448
    /// RSASSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of exactly 32 octets.
    case rsaPSSSHA256
    /// RSASSA-PSS with SHA-384, MGF1 with SHA-384 and a salt of exactly 48 octets.
    case rsaPSSSHA384
    /// RSASSA-PSS with SHA-512, MGF1 with SHA-512 and a salt of exactly 64 octets.
    case rsaPSSSHA512
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rsaPKCS1SHA256
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    case rsaPKCS1SHA384
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    case rsaPKCS1SHA512

    /// The hash that the message goes through first; nil for Ed25519 and Ed448, which hash on their own terms.
    public var hash: HashAlgorithm? {
        switch self {
        case .ecdsaP256SHA256, .rsaPSSSHA256, .rsaPKCS1SHA256: .sha256
        case .ecdsaP384SHA384, .rsaPSSSHA384, .rsaPKCS1SHA384: .sha384
        case .ecdsaP521SHA512, .rsaPSSSHA512, .rsaPKCS1SHA512: .sha512
        case .ed25519, .ed448: nil
        }
    }

    /// Whether a key of this type can make and check such signatures.
    public func fits(_ type: KeyType) -> Bool {
        switch (self, type) {
        case (.ecdsaP256SHA256, .p256), (.ecdsaP384SHA384, .p384), (.ecdsaP521SHA512, .p521): true
        case (.ed25519, .ed25519), (.ed448, .ed448): true
        case (.rsaPSSSHA256, .rsa), (.rsaPSSSHA384, .rsa), (.rsaPSSSHA512, .rsa): true
        case (.rsaPSSSHA256, .rsaPSS(_, let own)), (.rsaPSSSHA384, .rsaPSS(_, let own)),
            (.rsaPSSSHA512, .rsaPSS(_, let own)):
            own == nil || own == hash
        case (.rsaPKCS1SHA256, .rsa), (.rsaPKCS1SHA384, .rsa), (.rsaPKCS1SHA512, .rsa): true
        default: false
        }
    }

    var isPSS: Bool {
        switch self {
        case .rsaPSSSHA256, .rsaPSSSHA384, .rsaPSSSHA512: true
        default: false
        }
    }
}
