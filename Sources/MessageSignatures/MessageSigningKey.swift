public import Cryptography

/// A key that signs messages, bound to exactly one algorithm.
public struct MessageSigningKey: Sendable {
    private enum Storage: Sendable {
        case asymmetric(PrivateKey, SignatureAlgorithm)
        case symmetric(HMACKey)
    }

    private let storage: Storage
    /// The one algorithm of the key.
    public let algorithm: MessageSignatureAlgorithm

    /// Binds a private key to an algorithm.
    ///
    /// - Throws: ``SignatureError`` with code `algorithmMismatch` when the algorithm is not one of the key's type.
    public init(_ key: PrivateKey, algorithm: MessageSignatureAlgorithm) throws(SignatureError) {
        storage = .asymmetric(key, try algorithm.asymmetric(for: key.keyType))
        self.algorithm = algorithm
    }

    /// Takes a shared key, for `hmac-sha256`.
    ///
    /// - Throws: ``SignatureError`` with code `algorithmMismatch` for a key under another hash.
    public init(_ key: HMACKey) throws(SignatureError) {
        guard key.algorithm == .sha256 else {
            throw SignatureError(.algorithmMismatch, "the key is not one for hmac-sha256")
        }
        storage = .symmetric(key)
        algorithm = .hmacSHA256
    }

    func sign(_ octets: [UInt8]) throws(SignatureError) -> [UInt8] {
        do throws(CryptographyError) {
            switch storage {
            case .asymmetric(let key, let algorithm): return try key.sign(octets, using: algorithm)
            case .symmetric(let key): return try key.authenticationCode(for: octets)
            }
        } catch {
            throw SignatureError(.cryptographyFailure, "the key could not sign", underlying: error)
        }
    }
}

extension MessageSigningKey: CustomStringConvertible, CustomReflectable {
    /// The algorithm, and nothing of the key.
    public var description: String { "MessageSigningKey(\(algorithm.rawValue))" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
