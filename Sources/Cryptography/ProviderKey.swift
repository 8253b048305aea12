internal import COpenSSL

/// Owns one key of a provider, and keeps the provider alive.
///
/// Thread safety: the pointer is used under the provider's lock only, and it is freed under it too, because freeing a
/// key sends a command to the device.
@safe
final class ProviderKey: Sendable {
    private let provider: KeyProvider
    // nonisolated(unsafe): see the thread rule above.
    nonisolated(unsafe) private let pointer: OpaquePointer

    /// Takes over a reference: the caller must not free it.
    init(adopting pointer: OpaquePointer, of provider: KeyProvider) {
        unsafe self.pointer = pointer
        self.provider = provider
    }

    deinit { provider.withLibrary { _ in unsafe EVP_PKEY_free(pointer) } }

    /// The SubjectPublicKeyInfo of the public half, which the provider lets out.
    func subjectPublicKeyInfo() throws(CryptographyError) -> [UInt8] {
        try provider.withLibrary { _ throws(CryptographyError) in
            guard let bytes = unsafe OutputBytes.encode({ unsafe i2d_PUBKEY(pointer, $0) }) else {
                throw ProviderFailure.drain().error("i2d_PUBKEY failed")
            }
            return bytes
        }
    }

    /// Signs a message; an ECDSA signature is in DER.
    ///
    /// The message is hashed by the device too, which is what a restricted key demands. No context is kept: one that is
    /// set up once and copied would go around the provider's lock.
    func sign(
        _ message: Span<UInt8>,
        _ algorithm: SignatureAlgorithm
    ) throws(CryptographyError) -> [UInt8] {
        guard let hash = algorithm.hash else {
            throw CryptographyError(.unsupportedKey, "a key in a device signs with ECDSA only")
        }
        let query = provider.propertyQuery
        return try provider.withLibrary { library throws(CryptographyError) in
            guard let context = unsafe EVP_MD_CTX_new() else { throw OpenSSLErrors.failure("EVP_MD_CTX_new") }
            defer { unsafe EVP_MD_CTX_free(context) }
            let status = unsafe EVP_DigestSignInit_ex(
                context,
                nil,
                hash.openSSLName,
                library.context,
                query,
                pointer,
                nil
            )
            guard status == 1 else { throw ProviderFailure.drain().error("EVP_DigestSignInit_ex failed") }
            let capacity = unsafe Int(EVP_PKEY_get_size(pointer))
            let signature = unsafe message.withUnsafeBufferPointer { input in
                unsafe OutputBytes.fill(capacity: capacity) { output in
                    var length = capacity
                    return unsafe EVP_DigestSign(context, output, &length, input.baseAddress, input.count)
                        == 1
                        ? length : nil
                }
            }
            guard let signature else { throw ProviderFailure.drain().error("EVP_DigestSign failed") }
            return signature
        }
    }

    /// Signs a message that was hashed elsewhere; the signature is in DER.
    ///
    /// A restricted key of a TPM does not do that: it signs what the TPM itself has hashed.
    func sign(digest: [UInt8], _ hash: HashAlgorithm) throws(CryptographyError) -> [UInt8] {
        guard digest.count == hash.digestLength else {
            throw CryptographyError(.invalidInput, "the digest is of another length than its hash gives")
        }
        let query = provider.propertyQuery
        return try provider.withLibrary { library throws(CryptographyError) in
            guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(library.context, pointer, query) else {
                throw ProviderFailure.drain().error("EVP_PKEY_CTX_new_from_pkey failed")
            }
            defer { unsafe EVP_PKEY_CTX_free(context) }
            guard unsafe EVP_PKEY_sign_init(context) == 1,
                unsafe EVP_PKEY_CTX_ctrl_str(context, "digest", hash.openSSLName) == 1
            else { throw ProviderFailure.drain().error("EVP_PKEY_sign_init failed") }
            let capacity = unsafe Int(EVP_PKEY_get_size(pointer))
            let signature = unsafe OutputBytes.fill(capacity: capacity) { output in
                var length = capacity
                return unsafe EVP_PKEY_sign(context, output, &length, digest, digest.count) == 1
                    ? length : nil
            }
            guard let signature else { throw ProviderFailure.drain().error("EVP_PKEY_sign failed") }
            return signature
        }
    }
}
