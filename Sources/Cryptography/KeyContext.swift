internal import COpenSSL

/// Owns one EVP_PKEY_CTX set up to sign or verify digests with one key by ECDSA.
///
/// It belongs to one call at a time, and is used again by the next one: nothing of a signature stays in it.
@safe
final class KeyContext: Sendable {
    // nonisolated(unsafe): see the thread rule above.
    nonisolated(unsafe) private let pointer: OpaquePointer

    private init(adopting pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_PKEY_CTX_free(pointer) }

    /// Sets a context up, which has a reference of its own to the key.
    static func prepare(
        _ key: borrowing KeyHandle,
        signing isSigning: Bool
    ) throws(CryptographyError) -> KeyContext {
        guard let pointer = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else {
            throw OpenSSLErrors.failure("EVP_PKEY_CTX_new_from_pkey")
        }
        let context = unsafe KeyContext(adopting: pointer)
        try OpenSSLErrors.check(
            unsafe isSigning ? EVP_PKEY_sign_init(pointer) : EVP_PKEY_verify_init(pointer),
            isSigning ? "EVP_PKEY_sign_init" : "EVP_PKEY_verify_init"
        )
        return context
    }

    /// Signs a digest; the signature is in DER and at most `capacity` octets.
    func sign(_ digest: [UInt8], capacity: Int) throws(CryptographyError) -> [UInt8] {
        let signature = unsafe OutputBytes.fill(capacity: capacity) { output in
            var length = capacity
            return unsafe EVP_PKEY_sign(pointer, output, &length, digest, digest.count) == 1 ? length : nil
        }
        guard let signature else { throw OpenSSLErrors.failure("EVP_PKEY_sign") }
        return signature
    }

    /// Whether a signature in DER is right; octets that cannot be read are not (see ``DigestContext/verify(_:_:)``).
    func verify(_ signature: Span<UInt8>, _ digest: [UInt8]) -> Bool {
        let status = unsafe signature.withUnsafeBufferPointer {
            unsafe EVP_PKEY_verify(pointer, $0.baseAddress, $0.count, digest, digest.count)
        }
        guard status == 1 else {
            OpenSSLErrors.discard()
            return false
        }
        return true
    }
}
