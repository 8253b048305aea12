internal import Cryptography

/// The digests of RFC 9530 that hold against an attacker, the weaker first.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable, Comparable {
    /// SHA-256.
    case sha256 = "sha-256"
    /// SHA-512.
    case sha512 = "sha-512"

    /// Whether the first is the weaker one.
    public static func < (left: Self, right: Self) -> Bool { left.strength < right.strength }

    private var strength: Int {
        switch self {
        case .sha256: 256
        case .sha512: 512
        }
    }

    /// Feeds the strength: the name, which is what an enumeration of texts feeds by default, takes longer.
    public func hash(into hasher: inout Hasher) { hasher.combine(strength) }

    private var hash: HashAlgorithm {
        switch self {
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }

    func digest(of octets: [UInt8]) throws(SignatureError) -> [UInt8] {
        do throws(CryptographyError) {
            return try hash.hash(octets)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Lends the digest of some octets.
    func withDigest(of octets: [UInt8], _ body: (Span<UInt8>) -> Void) throws(SignatureError) {
        do throws(CryptographyError) {
            let digest = try hash.digest(of: octets.span)
            body(digest.span.extracting(first: hash.digestLength))
        } catch {
            throw Self.failure(error)
        }
    }

    static func failure(_ error: CryptographyError) -> SignatureError {
        SignatureError(.cryptographyFailure, "the digest could not be made", underlying: error)
    }
}
