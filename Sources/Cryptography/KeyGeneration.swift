internal import COpenSSL

/// Makes new keys.
enum KeyGeneration {
    static func generate(_ type: KeyType) throws(CryptographyError) -> KeyHandle {
        switch type {
        case .p256: return try unsafe generate("EC") { unsafe EVP_PKEY_CTX_set_group_name($0, "P-256") }
        case .p384: return try unsafe generate("EC") { unsafe EVP_PKEY_CTX_set_group_name($0, "P-384") }
        case .p521: return try unsafe generate("EC") { unsafe EVP_PKEY_CTX_set_group_name($0, "P-521") }
        case .ed448: return try unsafe generate("ED448") { _ in 1 }
        case .ed25519: return try unsafe generate("ED25519") { _ in 1 }
        case .rsaPSS:
            throw CryptographyError(.unsupportedKey, "an RSA key for PSS alone is read here and not made")
        case .rsa(let bits):
            guard bits >= RSAPolicy.modulusBits.lowerBound else {
                throw CryptographyError(.weakKey, "an RSA key below 2048 bits is refused")
            }
            guard bits <= RSAPolicy.modulusBits.upperBound else {
                throw CryptographyError(.unsupportedKey, "an RSA key above 8192 bits is refused")
            }
            return try unsafe generate("RSA") { unsafe EVP_PKEY_CTX_set_rsa_keygen_bits($0, Int32(bits)) }
        }
    }

    private static func generate(
        _ name: String,
        _ configure: (OpaquePointer) -> Int32
    ) throws(CryptographyError) -> KeyHandle {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, name, nil) else {
            throw OpenSSLErrors.failure("EVP_PKEY_CTX_new_from_name")
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        try OpenSSLErrors.check(unsafe EVP_PKEY_keygen_init(context), "EVP_PKEY_keygen_init")
        try OpenSSLErrors.check(unsafe configure(context), "EVP_PKEY_CTX_set")
        var pointer: OpaquePointer?
        try OpenSSLErrors.check(unsafe EVP_PKEY_generate(context, &pointer), "EVP_PKEY_generate")
        guard let pointer = unsafe pointer else { throw OpenSSLErrors.failure("EVP_PKEY_generate") }
        return unsafe KeyHandle(adopting: pointer)
    }
}
