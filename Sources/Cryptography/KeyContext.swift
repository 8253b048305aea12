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

    /// Signs a message, and lends the signature in DER.
    func sign<Result>(
        _ message: Span<UInt8>,
        _ hash: HashAlgorithm,
        _ body: (Span<UInt8>) -> Result
    ) throws(CryptographyError) -> Result {
        let digest = try hasher.digest(of: message, hash)
        // The longest is one of P-521, with up to 139 octets.
        var room = InlineArray<144, UInt8>(repeating: 0)
        var output = room.mutableSpan
        var length = output.count
        let status = unsafe digest.span.withUnsafeBufferPointer { digest in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe EVP_PKEY_sign(
                    pointer,
                    output.baseAddress,
                    &length,
                    digest.baseAddress,
                    hash.digestLength
                )
            }
        }
        guard status == 1 else { throw OpenSSLErrors.failure("EVP_PKEY_sign") }
        return body(room.span.extracting(first: length))
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
