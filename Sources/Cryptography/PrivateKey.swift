internal import COpenSSL

/// A private key, held by OpenSSL, which clears it when the last reference goes.
///
/// One value may be used from many threads at a time. Neither the description nor a dump shows key material.
public final class PrivateKey: Sendable {
    /// The public half.
    public let publicKey: PublicKey
    let handle: KeyHandle

    /// What kind of key this is.
    public var keyType: KeyType { publicKey.keyType }

    /// Takes a key over and checks its public half under the rules of ``PublicKey/init(der:)``.
    init(adopting handle: KeyHandle) throws(CryptographyError) {
        publicKey = try PublicKey(der: handle.subjectPublicKeyInfo())
        self.handle = handle
    }

    /// Makes a new key.
    ///
    /// - Parameter type: The kind. RSA of 2048 bits takes some tenths of a second.
    /// - Returns: The key, known to nobody else.
    /// - Throws: ``CryptographyError`` with code `weakKey` or `unsupportedKey` for an RSA size outside 2048 to 8192, and
    ///   `libraryFailure`.
    public static func generate(_ type: KeyType) throws(CryptographyError) -> PrivateKey {
        try PrivateKey(adopting: KeyGeneration.generate(type))
    }

    /// Signs a message.
    ///
    /// - Parameters:
    ///   - message: The message, not its hash.
    ///   - algorithm: The algorithm, which must belong to the key's type.
    ///   - encoding: How an ECDSA signature is written.
    /// - Returns: The signature: for ECDSA 64 or 96 octets of fixed width, or DER; 64 octets for Ed25519; as long as the
    ///   modulus for RSA.
    /// - Throws: ``CryptographyError`` with code `algorithmMismatch` for an algorithm of another key type, or
    ///   `libraryFailure`.
    public func sign(
        _ message: [UInt8],
        using algorithm: SignatureAlgorithm,
        encoding: ECDSAEncoding = .fixedWidth
    ) throws(CryptographyError) -> [UInt8] {
        try sign(message.span, using: algorithm, encoding: encoding)
    }

    /// Signs a message in other storage, without a copy, under the rules of ``sign(_:using:encoding:)-([UInt8],_,_)``.
    public func sign(
        _ message: Span<UInt8>,
        using algorithm: SignatureAlgorithm,
        encoding: ECDSAEncoding = .fixedWidth
    ) throws(CryptographyError) -> [UInt8] {
        guard algorithm.fits(keyType) else {
            throw CryptographyError(
                .algorithmMismatch,
                "\(algorithm) does not belong to a key of type \(keyType)"
            )
        }
        let capacity = unsafe Int(EVP_PKEY_get_size(handle.pointer))
        let signature = try handle.context(signing: true, algorithm).sign(message, capacity: capacity)
        guard let width = keyType.coordinateLength, encoding == .fixedWidth else { return signature }
        guard let fixed = ECDSASignature.fixedWidth(fromDER: signature, width: width) else {
            throw CryptographyError(.libraryFailure, "EVP_DigestSign gave a signature that is not DER")
        }
        return fixed
    }
}

extension PrivateKey: CustomStringConvertible, CustomReflectable {
    /// The type of the key, and nothing of the key.
    public var description: String { "PrivateKey(\(keyType))" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
