public import Cryptography

/// The signature and MAC algorithms for tokens (RFC 7518, section 3; RFC 8037); there is no `none`.
public enum TokenAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// HMAC with SHA-256.
    case hs256 = "HS256"
    /// HMAC with SHA-384.
    case hs384 = "HS384"
    /// HMAC with SHA-512.
    case hs512 = "HS512"
    /// ECDSA over P-256 with SHA-256.
    case es256 = "ES256"
    /// ECDSA over P-384 with SHA-384.
    case es384 = "ES384"
    /// Ed25519.
    case edDSA = "EdDSA"
    /// RSASSA-PSS with SHA-256.
    case ps256 = "PS256"
    /// RSASSA-PSS with SHA-384.
    case ps384 = "PS384"
    /// RSASSA-PSS with SHA-512.
    case ps512 = "PS512"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    case rs384 = "RS384"
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    case rs512 = "RS512"

    /// Reads the name from an `alg`; RFC 9864 calls ``edDSA`` over this library's one curve `Ed25519`.
    ///
    /// Names are case-sensitive. Nil for every other name.
    public init?(name: String) {
        if name.utf8.elementsEqual("Ed25519".utf8) {
            self = .edDSA
        } else {
            self.init(rawValue: name)
        }
    }

    /// The hash under the MAC; nil for the signature algorithms.
    public var secretHash: HashAlgorithm? {
        switch self {
        case .hs256: .sha256
        case .hs384: .sha384
        case .hs512: .sha512
        default: nil
        }
    }

    /// The signature algorithm; nil for the MACs.
    public var signature: SignatureAlgorithm? {
        switch self {
        case .hs256, .hs384, .hs512: nil
        case .es256: .ecdsaP256SHA256
        case .es384: .ecdsaP384SHA384
        case .edDSA: .ed25519
        case .ps256: .rsaPSSSHA256
        case .ps384: .rsaPSSSHA384
        case .ps512: .rsaPSSSHA512
        case .rs256: .rsaPKCS1SHA256
        case .rs384: .rsaPKCS1SHA384
        case .rs512: .rsaPKCS1SHA512
        }
    }

    /// The one algorithm that a public key of this type allows; nil when it leaves a choice.
    static func only(for type: KeyType) -> TokenAlgorithm? {
        switch type {
        case .p256: .es256
        case .p384: .es384
        case .ed25519: .edDSA
        // No token of this library is signed with the other two.
        case .rsa, .rsaPSS, .p521, .ed448: nil
        }
    }
}
