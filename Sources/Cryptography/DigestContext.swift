internal import COpenSSL

/// Owns one EVP_MD_CTX set up to sign or verify with one key.
///
/// A context that stands in a ``KeyHandle`` is only copied, which reads it. A copy belongs to one call.
@safe
final class DigestContext: Sendable {
    // nonisolated(unsafe): templates are never changed, and copies never leave the call that made them.
    nonisolated(unsafe) private let pointer: OpaquePointer

    private init(adopting pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_MD_CTX_free(pointer) }

    private static func make() throws(CryptographyError) -> DigestContext {
        guard let pointer = unsafe EVP_MD_CTX_new() else { throw OpenSSLErrors.failure("EVP_MD_CTX_new") }
        return unsafe DigestContext(adopting: pointer)
    }

    /// Sets a context up, with every parameter that the algorithm has.
    static func prepare(
        _ key: KeyHandle,
        signing isSigning: Bool,
        _ algorithm: SignatureAlgorithm
    ) throws(CryptographyError) -> DigestContext {
        let context = try make()
        let method = unsafe algorithm.hash.flatMap { unsafe DigestMethods.method(for: $0) }
        guard unsafe algorithm.hash == nil || method != nil else {
            throw OpenSSLErrors.failure("EVP_MD_fetch")
        }
        var parameters: OpaquePointer?  // borrowed from the context
        if isSigning {
            try OpenSSLErrors.check(
                unsafe EVP_DigestSignInit(context.pointer, &parameters, method, nil, key.pointer),
                "EVP_DigestSignInit"
            )
        } else {
            try OpenSSLErrors.check(
                unsafe EVP_DigestVerifyInit(context.pointer, &parameters, method, nil, key.pointer),
                "EVP_DigestVerifyInit"
            )
        }
        if algorithm.isPSS {
            try OpenSSLErrors.check(
                unsafe EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING),
                "EVP_PKEY_CTX_set_rsa_padding"
            )
            // The digest's length, made when signing and demanded when verifying; MGF1 uses the same hash by default.
            try OpenSSLErrors.check(
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST),
                "EVP_PKEY_CTX_set_rsa_pss_saltlen"
            )
        }
        return context
    }

    func copy() throws(CryptographyError) -> DigestContext {
        let copy = try Self.make()
        try OpenSSLErrors.check(unsafe EVP_MD_CTX_copy_ex(copy.pointer, pointer), "EVP_MD_CTX_copy_ex")
        // It is used once, so OpenSSL need not finish on yet another copy.
        unsafe EVP_MD_CTX_set_flags(copy.pointer, EVP_MD_CTX_FLAG_FINALISE)
        return copy
    }

    /// Signs a message; `capacity` is the longest signature of the key.
    func sign(_ message: Span<UInt8>, capacity: Int) throws(CryptographyError) -> [UInt8] {
        let signature = unsafe message.withUnsafeBufferPointer { input in
            unsafe OutputBytes.fill(capacity: capacity) { output in
                var length = capacity
                return unsafe EVP_DigestSign(pointer, output, &length, input.baseAddress, input.count) == 1
                    ? length : nil
            }
        }
        guard let signature else { throw OpenSSLErrors.failure("EVP_DigestSign") }
        return signature
    }

    /// Whether a signature is right.
    ///
    /// OpenSSL answers 0 for a wrong signature and a negative number for one that it cannot even read. Both are "no": a
    /// peer chooses those octets. What else could fail was checked when the context was set up.
    func verify(_ signature: Span<UInt8>, _ message: Span<UInt8>) -> Bool {
        let status = unsafe message.withUnsafeBufferPointer { input in
            unsafe signature.withUnsafeBufferPointer { signature in
                unsafe EVP_DigestVerify(
                    pointer,
                    signature.baseAddress,
                    signature.count,
                    input.baseAddress,
                    input.count
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
