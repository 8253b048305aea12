public import Cryptography

/// A key for tokens (RFC 7517), tied to exactly one algorithm.
///
/// The algorithm is part of the key: no token ever chooses it. Neither the description nor a dump shows key material.
public struct JSONWebKey: Sendable {
    /// What the key consists of, made ready for use.
    enum Material: Sendable {
        case secret(SecretBytes, HMACKey)
        case publicKey(PublicKey, SignatureAlgorithm)
        case privateKey(PrivateKey, SignatureAlgorithm)
    }

    /// The operations of `key_ops` that concern signatures (RFC 7517, section 4.3).
    struct Operations: OptionSet, Sendable {
        let rawValue: UInt8
        static let sign = Operations(rawValue: 1)
        static let verify = Operations(rawValue: 2)
    }

    /// The name of the key, `kid`.
    public let keyID: String?
    /// The one algorithm that the key is used with.
    public let algorithm: TokenAlgorithm
    let material: Material
    let operations: Operations

    /// The public key, also of a private key; nil for a secret.
    public var publicKey: PublicKey? {
        switch material {
        case .secret: nil
        case .publicKey(let key, _): key
        case .privateKey(let key, _): key.publicKey
        }
    }

    /// Whether the key holds a secret shared by both sides.
    public var isSecret: Bool {
        if case .secret = material { true } else { false }
    }

    /// Makes a key that checks signatures.
    ///
    /// - Parameters:
    ///   - key: The public key.
    ///   - algorithm: The algorithm; needed for RSA, where the key leaves a choice.
    ///   - keyID: The name of the key.
    /// - Throws: ``TokenError`` with code `missingAlgorithm` or `algorithmMismatch`.
    public init(_ key: PublicKey, algorithm: TokenAlgorithm? = nil, keyID: String? = nil) throws(TokenError) {
        let (algorithm, signature) = try Self.settle(algorithm, for: key.keyType)
        self.init(
            keyID: keyID,
            algorithm: algorithm,
            material: .publicKey(key, signature),
            operations: .verify
        )
    }

    /// Makes a key that signs and checks signatures, under the rules of ``init(_:algorithm:keyID:)-(PublicKey,_,_)``.
    public init(_ key: PrivateKey, algorithm: TokenAlgorithm? = nil, keyID: String? = nil) throws(TokenError)
    {
        let (algorithm, signature) = try Self.settle(algorithm, for: key.keyType)
        self.init(
            keyID: keyID,
            algorithm: algorithm,
            material: .privateKey(key, signature),
            operations: [.sign, .verify]
        )
    }

    /// Makes a key of a secret that both sides hold.
    ///
    /// - Parameters:
    ///   - secret: The secret, at least as long as the hash (RFC 7518, section 3.2).
    ///   - algorithm: One of the HMAC algorithms.
    ///   - keyID: The name of the key.
    /// - Throws: ``TokenError`` with code `weakKey` for a shorter secret, `algorithmMismatch` for another algorithm.
    public init(_ secret: SecretBytes, algorithm: TokenAlgorithm, keyID: String? = nil) throws(TokenError) {
        guard let hash = algorithm.secretHash else {
            throw TokenError(.algorithmMismatch, "a secret is for the HMAC algorithms only")
        }
        guard secret.count >= hash.digestLength else {
            throw TokenError(.weakKey, "the secret is shorter than the hash of its algorithm")
        }
        do throws(CryptographyError) {
            self.init(
                keyID: keyID,
                algorithm: algorithm,
                material: .secret(secret, try HMACKey(secret, hash)),
                operations: [.sign, .verify]
            )
        } catch { throw TokenError(.cryptographyFailure, "the secret cannot be used", underlying: error) }
    }

    private init(keyID: String?, algorithm: TokenAlgorithm, material: Material, operations: Operations) {
        self.keyID = keyID
        self.algorithm = algorithm
        self.material = material
        self.operations = operations
    }

    /// The same key for no more than these operations.
    func limited(to operations: Operations) -> JSONWebKey {
        JSONWebKey(
            keyID: keyID,
            algorithm: algorithm,
            material: material,
            operations: self.operations.intersection(operations)
        )
    }

    private static func settle(
        _ named: TokenAlgorithm?,
        for type: KeyType
    ) throws(TokenError) -> (TokenAlgorithm, SignatureAlgorithm) {
        guard let algorithm = named ?? TokenAlgorithm.only(for: type) else {
            throw TokenError(.missingAlgorithm, "the key leaves a choice of algorithms: name one")
        }
        guard let signature = algorithm.signature, signature.fits(type) else {
            throw TokenError(.algorithmMismatch, "the algorithm does not belong to the key's type")
        }
        return (algorithm, signature)
    }
}

extension JSONWebKey: CustomStringConvertible, CustomReflectable {
    /// The algorithm and the name, and nothing of the key.
    public var description: String { "JSONWebKey(\(algorithm.rawValue), kid: \(keyID ?? "none"))" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
