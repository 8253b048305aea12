public import Cryptography

/// A key that verifies messages, bound to exactly one algorithm.
///
/// What a message says about its algorithm chooses nothing.
public struct MessageVerificationKey: Sendable {
    private enum Storage: Sendable {
        case asymmetric(PublicKey, SignatureAlgorithm)
        case symmetric(HMACKey)
    }

    private let storage: Storage
    /// The one algorithm of the key.
    public let algorithm: MessageSignatureAlgorithm

    /// Binds a public key to an algorithm.
    ///
    /// - Throws: ``SignatureError`` with code `algorithmMismatch` when the algorithm is not one of the key's type.
    public init(_ key: PublicKey, algorithm: MessageSignatureAlgorithm) throws(SignatureError) {
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

    /// - Throws: ``SignatureError`` with code `signatureInvalid`, or `cryptographyFailure`.
    func verify(_ signature: [UInt8], over octets: [UInt8]) throws(SignatureError) {
        let isValid: Bool
        do throws(CryptographyError) {
            switch storage {
            case .asymmetric(let key, let algorithm):
                isValid = try key.isValidSignature(signature, for: octets, using: algorithm)
            case .symmetric(let key): isValid = try key.isValid(signature, for: octets)
            }
        } catch {
            throw SignatureError(
                .cryptographyFailure,
                "the signature could not be checked",
                underlying: error
            )
        }
        guard isValid else { throw Self.invalid }
    }

    private static var invalid: SignatureError {
        SignatureError(.signatureInvalid, "the signature is not one of this message and key")
    }
}

extension MessageVerificationKey: CustomStringConvertible, CustomReflectable {
    /// The algorithm, and nothing of the key.
    public var description: String { "MessageVerificationKey(\(algorithm.rawValue))" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
