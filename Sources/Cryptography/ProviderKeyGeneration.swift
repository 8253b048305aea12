internal import COpenSSL

/// Makes keys in a TPM, and the text in which they are kept outside of it.
enum ProviderKeyGeneration {
    /// The one provider that gives keys out in a form that only its device can read.
    static let provider = "tpm2"
    /// The longest passphrase: a TPM takes no more than its hash is long, and this provider hashes with SHA-256.
    static let maximumPassphrase = 32
    static let label = "TSS2 PRIVATE KEY"

    /// Gives a reference to a new key.
    ///
    /// - Throws: ``CryptographyError`` with code `unsupportedKey`, `providerUnavailable` or `libraryFailure`.
    static func generate(
        _ type: KeyType,
        _ library: borrowing ProviderLibrary,
        passphrase: SecretBytes?
    ) throws(CryptographyError) -> OpaquePointer {
        let group: String
        switch type {
        case .p256: group = "P-256"
        case .p384: group = "P-384"
        case .p521, .ed25519, .ed448, .rsa, .rsaPSS:
            throw CryptographyError(.unsupportedKey, "a TPM makes keys of P-256 or P-384 here")
        }
        // Without the question mark: never a key in memory, if the device cannot make one.
        guard
            let context = unsafe EVP_PKEY_CTX_new_from_name(library.context, "EC", "provider=\(provider)")
        else { throw ProviderFailure.drain().error("the provider makes no EC keys", .providerUnavailable) }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        try check(unsafe EVP_PKEY_keygen_init(context))
        try check(unsafe EVP_PKEY_CTX_set_group_name(context, group))
        // Unchecked, a refused passphrase would give a key without one.
        if let passphrase { try check(unsafe set(passphrase, context)) }
        var pointer: OpaquePointer?
        try check(unsafe EVP_PKEY_generate(context, &pointer))
        guard let pointer = unsafe pointer else { throw OpenSSLErrors.failure("EVP_PKEY_generate") }
        return unsafe pointer
    }

    private static func check(_ status: Int32) throws(CryptographyError) {
        guard status != 1 else { return }
        throw ProviderFailure.drain().error("the device does not make a key", .providerUnavailable)
    }

    private static func set(_ passphrase: SecretBytes, _ context: OpaquePointer) -> Int32 {
        var text: [CChar] = []
        text.reserveCapacity(passphrase.count + 1)
        passphrase.withBytes { bytes in
            for offset in 0..<bytes.count { text.append(CChar(bitPattern: bytes[offset])) }
        }
        text.append(0)
        defer { unsafe text.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) } }
        // An OSSL_PARAM keeps the pointers to its name and value, so both must outlive the call that reads them.
        return unsafe "user-auth".withCString { name in
            unsafe text.withUnsafeMutableBufferPointer { text in
                let parameters = unsafe [
                    OSSL_PARAM_construct_utf8_string(name, text.baseAddress, 0), OSSL_PARAM_construct_end(),
                ]
                return unsafe EVP_PKEY_CTX_set_params(context, parameters)
            }
        }
    }

    /// The key as a PEM block of its own kind, encrypted by the device for itself.
    static func text(of key: OpaquePointer) throws(CryptographyError) -> String {
        // An encoder's context keeps the pointer to the name of the form, so the name must outlive it.
        let text = unsafe "PEM".withCString { form in unsafe encode(key, form) }
        guard let text else { throw ProviderFailure.drain().error("the provider does not write the key") }
        guard try PEM(text).label == label else {
            throw CryptographyError(.libraryFailure, "the provider gave another form than a \(label)")
        }
        return text
    }

    private static func encode(_ key: OpaquePointer, _ form: UnsafePointer<CChar>) -> String? {
        let query = "provider=\(provider)"
        guard
            let context = unsafe OSSL_ENCODER_CTX_new_for_pkey(key, copenssl_keypair(), form, nil, query)
        else { return nil }
        defer { unsafe OSSL_ENCODER_CTX_free(context) }
        var octets: UnsafeMutablePointer<UInt8>?
        var count = 0
        defer { unsafe CRYPTO_free(octets, nil, 0) }
        guard unsafe OSSL_ENCODER_to_data(context, &octets, &count) == 1 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: octets, count: count), as: UTF8.self)
    }
}
