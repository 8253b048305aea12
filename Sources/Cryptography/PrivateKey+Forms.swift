internal import COpenSSL

/// The forms in which a private key comes in.
extension PrivateKey {
    /// Reads one PEM block with the label PRIVATE KEY, EC PRIVATE KEY or RSA PRIVATE KEY, and nothing around it.
    ///
    /// The text itself is the caller's, and a String cannot be cleared.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidPEM`, `encryptedKey` (nobody is ever asked for a password),
    ///   `unsupportedKey` also for the key of a TPM, or those of ``init(der:)``.
    public convenience init(pem: String) throws(CryptographyError) {
        try self.init(PEM(pem))
    }

    /// Reads one PEM block with the label PRIVATE KEY, which is PKCS #8, and nothing around it.
    ///
    /// Nothing that is copied here stays in memory; the octets given are the caller's to clear.
    ///
    /// - Throws: ``CryptographyError`` as ``init(pem:)`` says.
    package convenience init(pkcs8PEM octets: [UInt8]) throws(CryptographyError) {
        var block = try PEM(octets)
        guard block.label == "PRIVATE KEY" || block.label == "ENCRYPTED PRIVATE KEY" else {
            SecretBytes.clear(&block.bytes)
            throw CryptographyError(.unsupportedKey, "the PEM block is not a PRIVATE KEY")
        }
        try self.init(block)
    }

    private convenience init(_ block: consuming PEM) throws(CryptographyError) {
        var block = block
        let der = SecretBytes(moving: &block.bytes)
        guard block.label != "ENCRYPTED PRIVATE KEY" else {
            throw CryptographyError(.encryptedKey, "the private key is encrypted")
        }
        guard block.label != ProviderKeyGeneration.label else {
            throw CryptographyError(.unsupportedKey, "the private key is in a TPM, whose provider loads it")
        }
        guard block.label.hasSuffix("PRIVATE KEY"), try PrivateKeyForm(der).label == block.label else {
            throw CryptographyError(.invalidPEM, "the PEM block is not a private key of the form it names")
        }
        try self.init(der: der)
    }

    /// Reads PrivateKeyInfo (PKCS #8), ECPrivateKey (SEC 1, with its curve inside) or RSAPrivateKey (PKCS #1) in DER.
    ///
    /// The public half must pass the checks of ``PublicKey/init(der:)`` and belong to the private half.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidKey`, `encryptedKey`, `unsupportedKey` or `weakKey`.
    public convenience init(der: SecretBytes) throws(CryptographyError) {
        let handle = try PrivateKeyForm(der).decode(der)
        try self.init(adopting: handle)
        guard unsafe handle.passes({ unsafe EVP_PKEY_pairwise_check($0) }) else {
            throw CryptographyError(.invalidKey, "the private key does not belong to its public half")
        }
    }

    /// Makes a P-256, P-384 or P-521 key of its scalar and public point.
    ///
    /// - Parameters:
    ///   - scalar: The private number, big-endian, exactly as wide as the curve.
    ///   - point: The public point in the uncompressed form, which must belong to the scalar.
    ///   - curve: `.p256`, `.p384` or `.p521`.
    /// - Throws: ``CryptographyError`` with code `invalidKey`, or `unsupportedKey` for another key type.
    public convenience init(
        scalar: SecretBytes,
        x963 point: [UInt8],
        curve: KeyType
    ) throws(CryptographyError) {
        // The point goes through every check of a public key first.
        let publicKey = try PublicKey(x963: point, curve: curve)
        guard scalar.count == curve.coordinateLength else {
            throw CryptographyError(.invalidKey, "the scalar is not as wide as its curve")
        }
        let name =
            switch curve {
            case .p256: DER.ObjectIdentifier.p256
            case .p384: DER.ObjectIdentifier.p384
            default: DER.ObjectIdentifier.p521
            }
        // ECPrivateKey of RFC 5915: version 1, the scalar, [0] the curve, [1] the point.
        let before = DER.element(.integer, [1]) + DER.header(.octetString, length: scalar.count)
        let after =
            DER.element(.constructed(0), DER.identifier(name))
            + DER.element(.constructed(1), DER.bitString(point))
        let header = DER.header(.sequence, length: before.count + scalar.count + after.count)
        try self.init(der: SecretBytes.join(header + before, scalar, after))
        guard self.publicKey == publicKey else {
            throw CryptographyError(.invalidKey, "the private key does not belong to its public half")
        }
    }

    /// Makes an Ed25519 key of its seed of 32 octets (RFC 8032, section 5.1.5).
    ///
    /// - Throws: ``CryptographyError`` with code `invalidKey` for another length.
    public convenience init(ed25519Seed seed: SecretBytes) throws(CryptographyError) {
        let pointer = unsafe seed.withPointer {
            unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, $0, seed.count)
        }
        guard let pointer = unsafe pointer else {
            throw OpenSSLErrors.failure("EVP_PKEY_new_raw_private_key", .invalidKey)
        }
        try self.init(adopting: unsafe KeyHandle(adopting: pointer))
    }

    /// Makes an RSA key of its numbers.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidKey` for numbers that do not fit together, `weakKey` or
    ///   `unsupportedKey`.
    public convenience init(rsa numbers: RSAPrivateNumbers) throws(CryptographyError) {
        let publicKey = try PublicKey(modulus: numbers.modulus, exponent: numbers.publicExponent)
        try self.init(der: numbers.der)
        guard self.publicKey == publicKey else {
            throw CryptographyError(.invalidKey, "the private key does not belong to its public half")
        }
    }
}

extension SecretBytes {
    /// Public octets, a secret and public octets, one after the other.
    fileprivate static func join(_ before: [UInt8], _ secret: SecretBytes, _ after: [UInt8]) -> SecretBytes {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(before.count + secret.count + after.count)
        bytes.append(contentsOf: before)
        secret.withBytes { for offset in 0..<$0.count { bytes.append($0[offset]) } }
        bytes.append(contentsOf: after)
        return SecretBytes(moving: &bytes)
    }
}
