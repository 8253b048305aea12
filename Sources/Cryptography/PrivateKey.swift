internal import COpenSSL

/// A private key, held by OpenSSL, which clears it when the last reference goes, or by a device.
///
/// One value may be used from many threads at a time. Neither the description nor a dump shows key material.
public final class PrivateKey: Sendable {
    /// The public half.
    public let publicKey: PublicKey
    private let storage: Storage

    /// Where the private half is.
    private enum Storage {
        case memory(KeyHandle)
        case device(ProviderKey)
    }

    /// The key in this process's memory.
    ///
    /// - Throws: ``CryptographyError`` with code `notExportable` for a key in a device.
    var handle: KeyHandle {
        get throws(CryptographyError) {
            guard case .memory(let handle) = storage else {
                throw CryptographyError(.notExportable, "the private key does not leave its device")
            }
            return handle
        }
    }

    /// What kind of key this is.
    public var keyType: KeyType { publicKey.keyType }

    /// Takes a key over and checks its public half under the rules of ``PublicKey/init(der:)``.
    init(adopting handle: KeyHandle) throws(CryptographyError) {
        publicKey = try PublicKey(der: handle.subjectPublicKeyInfo())
        storage = .memory(handle)
    }

    /// Takes a key in a device over; its public half is an ordinary key, checked like any other.
    init(adopting key: ProviderKey) throws(CryptographyError) {
        publicKey = try PublicKey(der: key.subjectPublicKeyInfo())
        guard publicKey.keyType == .p256 || publicKey.keyType == .p384 else {
            throw CryptographyError(.unsupportedKey, "a key in a device must be one of P-256 or P-384")
        }
        storage = .device(key)
    }

    /// Whether the private key is in a device, which signs with it; see ``KeyProvider``.
    ///
    /// Such a key takes a device's time to sign, and holds the calling thread for it: call
    /// ``sign(_:using:encoding:)-([UInt8],_,_)`` on a thread that may wait.
    public var isHardwareBound: Bool {
        if case .device = storage { true } else { false }
    }

    /// Makes a new key.
    ///
    /// - Parameter type: The kind. RSA of 2048 bits takes some tenths of a second.
    /// - Returns: The key, known to nobody else.
    /// - Throws: ``CryptographyError`` with code `weakKey` or `unsupportedKey` for an RSA size outside 2048 to 8192,
    ///   `unsupportedKey` for ``KeyType/rsaPSS(bits:hash:)``, and `libraryFailure`.
    public static func generate(_ type: KeyType) throws(CryptographyError) -> PrivateKey {
        try PrivateKey(adopting: KeyGeneration.generate(type))
    }

    /// Puts the key into an `SSL_CTX` that has its certificate.
    ///
    /// - Parameters:
    ///   - context: The `SSL_CTX`.
    ///   - report: Told why a device did not sign a handshake, on the thread of the handshake.
    /// - Returns: Whether it was done; the context must not be used otherwise.
    func install(
        on context: OpaquePointer,
        report: @escaping @Sendable (CryptographyError) -> Void
    ) -> Bool {
        switch storage {
        case .memory(let handle): unsafe SSL_CTX_use_PrivateKey(context, handle.pointer) == 1
        case .device(let key):
            unsafe DeviceSigner(key, publicKey, report: report).install(on: context)
        }
    }

    /// Signs a message.
    ///
    /// - Parameters:
    ///   - message: The message, not its hash.
    ///   - algorithm: The algorithm, which must belong to the key's type.
    ///   - encoding: How an ECDSA signature is written.
    /// - Returns: The signature: for ECDSA 64, 96 or 132 octets of fixed width, or DER; 64 octets for Ed25519 and 114
    ///   for Ed448; as long as the modulus for RSA.
    /// - Throws: ``CryptographyError`` with code `algorithmMismatch` for an algorithm of another key type, or
    ///   `libraryFailure`; for a key in a device also `wrongPassphrase`, `deviceLocked` or `providerUnavailable`.
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
        let width = keyType.coordinateLength
        let signature: [UInt8]?
        switch storage {
        case .memory(let handle):
            if let width, let hash = algorithm.hash {
                signature = try handle.signECDSA(message, hash) { encoding.octets(ofDER: $0, width: width) }
            } else {
                let capacity = unsafe Int(EVP_PKEY_get_size(handle.pointer))
                signature = try handle.context(signing: true, algorithm).sign(message, capacity: capacity)
            }
        case .device(let key):
            let der = try key.sign(message, algorithm)
            signature = width.map { encoding.octets(ofDER: der.span, width: $0) } ?? der
        }
        guard let signature else {
            throw CryptographyError(.libraryFailure, "OpenSSL gave a signature that is not DER")
        }
        return signature
    }
}

extension PrivateKey: CustomStringConvertible, CustomReflectable {
    /// The type of the key, and nothing of the key.
    public var description: String { "PrivateKey(\(keyType))" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
