internal import COpenSSL

/// A public key that was checked when it came in.
///
/// Equality and hashing go by the SubjectPublicKeyInfo. One value may be used from many threads at a time.
public final class PublicKey: Sendable {
    /// What kind of key this is.
    public let keyType: KeyType
    /// The SubjectPublicKeyInfo of RFC 5280, section 4.1, in DER.
    public let spkiDER: [UInt8]
    private let handle: KeyHandle

    /// Reads a SubjectPublicKeyInfo in DER.
    ///
    /// Refused are: octets that are not its one canonical form (so trailing octets and compressed points too), curves
    /// given by parameters, points that are not on their curve, RSA below 2048 or above 8192 bits, RSA exponents that
    /// are 1, even or above 64 bits, and RSA keys of the generator of CVE-2017-15361.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidKey`, `unsupportedKey` or `weakKey`.
    public init(der: [UInt8]) throws(CryptographyError) {
        let contents = try SubjectPublicKeyInfo(der)
        switch contents.keyType {
        case .p256, .p384, .p521:
            // The one canonical form was read in full; OpenSSL takes over the point alone.
            handle = try CurveKey.make(contents.key, of: contents.keyType)
        case .ed25519, .ed448, .rsa, .rsaPSS:
            handle = try Self.decode(der)
            // What OpenSSL read and what was checked here must be the same key in the same octets.
            guard try handle.subjectPublicKeyInfo() == der else {
                throw CryptographyError(.invalidKey, "the public key is not in its canonical form")
            }
        }
        keyType = contents.keyType
        spkiDER = der
    }

    private static func decode(_ der: [UInt8]) throws(CryptographyError) -> KeyHandle {
        let pointer = unsafe der.withUnsafeBufferPointer { input in
            var next = input.baseAddress
            return unsafe d2i_PUBKEY(nil, &next, input.count)
        }
        guard let pointer = unsafe pointer else { throw OpenSSLErrors.failure("d2i_PUBKEY", .invalidKey) }
        return unsafe KeyHandle(adopting: pointer)
    }

    /// Whether a signature over a message was made with the private half of this key.
    ///
    /// A signature that cannot be read, has the wrong length or holds numbers out of range is wrong, not an error.
    ///
    /// - Parameters:
    ///   - signature: The signature's octets.
    ///   - message: The message, not its hash.
    ///   - algorithm: The algorithm, which must belong to the key's type.
    ///   - encoding: How an ECDSA signature is written. `der` takes strict DER alone.
    /// - Returns: True for the right signature, false for any other octets.
    /// - Throws: ``CryptographyError`` with code `algorithmMismatch` for an algorithm of another key type, or
    ///   `libraryFailure`.
    public func isValidSignature(
        _ signature: [UInt8],
        for message: [UInt8],
        using algorithm: SignatureAlgorithm,
        encoding: ECDSAEncoding = .fixedWidth
    ) throws(CryptographyError) -> Bool {
        try isValidSignature(signature.span, for: message.span, using: algorithm, encoding: encoding)
    }

    /// Whether a signature is right, with both inputs in other storage.
    ///
    /// The rules are those of ``isValidSignature(_:for:using:encoding:)-([UInt8],_,_,_)``.
    public func isValidSignature(
        _ signature: Span<UInt8>,
        for message: Span<UInt8>,
        using algorithm: SignatureAlgorithm,
        encoding: ECDSAEncoding = .fixedWidth
    ) throws(CryptographyError) -> Bool {
        guard algorithm.fits(keyType) else {
            throw CryptographyError(
                .algorithmMismatch,
                "\(algorithm) does not belong to a key of type \(keyType)"
            )
        }
        // OpenSSL takes a PSS signature whose leading zeros were dropped; RFC 8017, section 8.1.2 does not.
        if let bits = keyType.modulusBits, signature.count != (bits + 7) / 8 { return false }
        guard let width = keyType.coordinateLength, let hash = algorithm.hash else {
            return try handle.context(signing: false, algorithm).verify(signature, message)
        }
        guard encoding == .fixedWidth else { return try handle.verifyECDSA(signature, message, hash) }
        guard let der = ECDSASignature.der(fromFixedWidth: signature, width: width) else { return false }
        return try handle.verifyECDSA(der.span, message, hash)
    }
}

extension PublicKey: Hashable, CustomStringConvertible {
    /// Whether both are the same key.
    public static func == (left: PublicKey, right: PublicKey) -> Bool { left.spkiDER == right.spkiDER }

    /// Hashes the SubjectPublicKeyInfo.
    public func hash(into hasher: inout Hasher) { hasher.combine(spkiDER) }

    /// The type of the key.
    public var description: String { "PublicKey(\(keyType))" }
}
