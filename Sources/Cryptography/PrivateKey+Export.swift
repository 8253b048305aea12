internal import COpenSSL

/// The forms in which a private key goes out, each by an explicit call.
///
/// A key in a device has none: what would give a part of it throws `notExportable`.
extension PrivateKey {
    /// PrivateKeyInfo (PKCS #8) in DER, not encrypted.
    ///
    /// - Throws: ``CryptographyError`` with code `notExportable` or `libraryFailure`.
    public func pkcs8DER() throws(CryptographyError) -> SecretBytes {
        guard let info = unsafe EVP_PKEY2PKCS8(try handle.pointer) else {
            throw OpenSSLErrors.failure("EVP_PKEY2PKCS8")
        }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        let length = unsafe i2d_PKCS8_PRIV_KEY_INFO(info, nil)
        let secret = unsafe SecretBytes(count: max(0, Int(length))) { start in
            var next: UnsafeMutablePointer<UInt8>? = unsafe start
            return unsafe length > 0 && i2d_PKCS8_PRIV_KEY_INFO(info, &next) == length
        }
        guard let secret else { throw OpenSSLErrors.failure("i2d_PKCS8_PRIV_KEY_INFO") }
        return secret
    }

    /// PrivateKeyInfo (PKCS #8) as a PEM block PRIVATE KEY, not encrypted.
    ///
    /// A String cannot be cleared from memory: for that use ``pkcs8DER()``.
    ///
    /// - Throws: ``CryptographyError`` with code `notExportable` or `libraryFailure`.
    public func pkcs8PEM() throws(CryptographyError) -> String {
        var octets = try pkcs8PEMOctets()
        defer { SecretBytes.clear(&octets) }
        return String(decoding: octets, as: UTF8.self)
    }

    /// The octets of ``pkcs8PEM()``, in an array that has no copy and is the caller's to clear.
    ///
    /// - Throws: ``CryptographyError`` with code `notExportable` or `libraryFailure`.
    package func pkcs8PEMOctets() throws(CryptographyError) -> [UInt8] {
        try pkcs8DER().withBytes { span in
            var block = PEM(label: "PRIVATE KEY", bytes: [])
            block.bytes.reserveCapacity(span.count)
            for offset in 0..<span.count { block.bytes.append(span[offset]) }
            defer { SecretBytes.clear(&block.bytes) }
            return block.octets
        }
    }

    /// The private number of a key on a curve of NIST, big-endian, as wide as the curve; nil for the others.
    ///
    /// - Throws: ``CryptographyError`` with code `notExportable` or `libraryFailure`.
    public func scalar() throws(CryptographyError) -> SecretBytes? {
        guard let width = keyType.coordinateLength else { return nil }
        return try number(OSSL_PKEY_PARAM_PRIV_KEY, width: width)
    }

    /// The seed of an Ed25519 key, 32 octets; nil for the others.
    ///
    /// - Throws: ``CryptographyError`` with code `notExportable` or `libraryFailure`.
    public func ed25519Seed() throws(CryptographyError) -> SecretBytes? {
        guard keyType == .ed25519 else { return nil }
        let handle = try handle
        let seed = unsafe SecretBytes(count: 32) { start in
            var length = 32
            return unsafe EVP_PKEY_get_raw_private_key(handle.pointer, start, &length) == 1 && length == 32
        }
        guard let seed else { throw OpenSSLErrors.failure("EVP_PKEY_get_raw_private_key") }
        return seed
    }

    /// The numbers of an RSA key; nil for the others.
    ///
    /// - Throws: ``CryptographyError`` with code `notExportable` or `libraryFailure`.
    public func rsaNumbers() throws(CryptographyError) -> RSAPrivateNumbers? {
        guard let modulus = publicKey.rsaModulus, let exponent = publicKey.rsaExponent else { return nil }
        // Some names are written out: their macros join two literals, which Swift does not import.
        return RSAPrivateNumbers(
            modulus: modulus,
            publicExponent: exponent,
            privateExponent: try number(OSSL_PKEY_PARAM_RSA_D),
            prime1: try number("rsa-factor1"),
            prime2: try number("rsa-factor2"),
            exponent1: try number("rsa-exponent1"),
            exponent2: try number("rsa-exponent2"),
            coefficient: try number("rsa-coefficient1")
        )
    }

    /// One secret number of the key, big-endian, padded to a width or as short as it is.
    private func number(_ name: String, width: Int? = nil) throws(CryptographyError) -> SecretBytes {
        var number: OpaquePointer?
        try OpenSSLErrors.check(
            unsafe EVP_PKEY_get_bn_param(try handle.pointer, name, &number),
            "EVP_PKEY_get_bn_param"
        )
        defer { unsafe BN_clear_free(number) }
        let count = unsafe width ?? (Int(BN_num_bits(number)) + 7) / 8
        let secret = unsafe SecretBytes(count: count) {
            unsafe BN_bn2binpad(number, $0, Int32(count)) == Int32(count)
        }
        guard let secret else { throw OpenSSLErrors.failure("BN_bn2binpad") }
        return secret
    }
}
