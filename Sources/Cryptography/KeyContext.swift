internal import COpenSSL

/// Owns one EVP_PKEY_CTX set up to sign or verify with one key by ECDSA, and what hashes for it.
///
/// It belongs to one call at a time, and is used again by the next one: no secret of a signature stays in it.
@safe
final class KeyContext: Sendable {
    // nonisolated(unsafe): see the thread rule above.
    nonisolated(unsafe) private let pointer: OpaquePointer
    private let hasher: KeptHasher

    private init(adopting pointer: OpaquePointer, hasher: consuming KeptHasher) {
        unsafe self.pointer = pointer
        self.hasher = hasher
    }

    deinit { unsafe EVP_PKEY_CTX_free(pointer) }

    /// Sets a context up, which has a reference of its own to the key.
    static func prepare(
        _ key: borrowing KeyHandle,
        signing isSigning: Bool
    ) throws(CryptographyError) -> KeyContext {
        let hasher = try KeptHasher()
        guard let pointer = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else {
            throw OpenSSLErrors.failure("EVP_PKEY_CTX_new_from_pkey")
        }
        let context = unsafe KeyContext(adopting: pointer, hasher: hasher)
        try OpenSSLErrors.check(
            unsafe isSigning ? EVP_PKEY_sign_init(pointer) : EVP_PKEY_verify_init(pointer),
            isSigning ? "EVP_PKEY_sign_init" : "EVP_PKEY_verify_init"
        )
        return context
    }

    /// Signs a message; the signature is in DER and at most `capacity` octets.
    func sign(
        _ message: Span<UInt8>,
        _ hash: HashAlgorithm,
        capacity: Int
    ) throws(CryptographyError) -> [UInt8] {
        let digest = try hasher.digest(of: message, hash)
        let signature = unsafe digest.span.withUnsafeBufferPointer { digest in
            unsafe OutputBytes.fill(capacity: capacity) { output in
                var length = capacity
                let status = unsafe EVP_PKEY_sign(
                    pointer,
                    output,
                    &length,
                    digest.baseAddress,
                    hash.digestLength
                )
                return status == 1 ? length : nil
            }
        }
        guard let signature else { throw OpenSSLErrors.failure("EVP_PKEY_sign") }
        return signature
    }

    /// Whether a signature in DER is right; octets that cannot be read are not (see ``DigestContext/verify(_:_:)``).
    func verify(
        _ signature: Span<UInt8>,
        _ message: Span<UInt8>,
        _ hash: HashAlgorithm
    ) throws(CryptographyError) -> Bool {
        let digest = try hasher.digest(of: message, hash)
        let status = unsafe digest.span.withUnsafeBufferPointer { digest in
            unsafe signature.withUnsafeBufferPointer {
                unsafe EVP_PKEY_verify(
                    pointer,
                    $0.baseAddress,
                    $0.count,
                    digest.baseAddress,
                    hash.digestLength
                )
            }
        }
        guard status == 1 else {
            OpenSSLErrors.discard()
            return false
        }
        return true
    }
}
