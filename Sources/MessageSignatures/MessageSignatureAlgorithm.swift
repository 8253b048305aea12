internal import Cryptography

/// The algorithms of the registry "HTTP Signature Algorithms" (RFC 9421, section 6.2.2), by their names there.
public enum MessageSignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// ECDSA over P-256 with SHA-256; the signature is r and s, 32 octets each.
    case ecdsaP256SHA256 = "ecdsa-p256-sha256"
    /// ECDSA over P-384 with SHA-384; the signature is r and s, 48 octets each.
    case ecdsaP384SHA384 = "ecdsa-p384-sha384"
    /// HMAC with SHA-256.
    case hmacSHA256 = "hmac-sha256"
    /// Ed25519 of RFC 8032.
    case ed25519 = "ed25519"
    /// RSASSA-PSS with SHA-512 and a salt of 64 octets.
    case rsaPSSSHA512 = "rsa-pss-sha512"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rsaPKCS1SHA256 = "rsa-v1_5-sha256"

    /// The algorithm for an asymmetric key; nil for HMAC.
    var asymmetric: SignatureAlgorithm? {
        switch self {
        case .ecdsaP256SHA256: .ecdsaP256SHA256
        case .ecdsaP384SHA384: .ecdsaP384SHA384
        case .hmacSHA256: nil
        case .ed25519: .ed25519
        case .rsaPSSSHA512: .rsaPSSSHA512
        case .rsaPKCS1SHA256: .rsaPKCS1SHA256
        }
    }

    /// The algorithm for a key of a type, as the application named it.
    ///
    /// - Throws: ``SignatureError`` with code `algorithmMismatch` when the two do not belong together.
    func asymmetric(for type: KeyType) throws(SignatureError) -> SignatureAlgorithm {
        guard let algorithm = asymmetric, algorithm.fits(type) else {
            throw SignatureError(.algorithmMismatch, "the key is not one for the algorithm")
        }
        return algorithm
    }
}
