internal import COpenSSL

/// Owns one EVP_MD_CTX, which hashes one message after another.
///
/// EVP_Digest makes a context and its state anew for each message. The digest of the last message stays in here.
@safe
struct KeptHasher: ~Copyable, Sendable {
    // nonisolated(unsafe): whoever keeps a hasher lends it to one call at a time.
    nonisolated(unsafe) private let pointer: OpaquePointer

    init() throws(CryptographyError) {
        guard let pointer = unsafe EVP_MD_CTX_new() else { throw OpenSSLErrors.failure("EVP_MD_CTX_new") }
        unsafe self.pointer = pointer
    }

    deinit { unsafe EVP_MD_CTX_free(pointer) }

    /// The digest of a message, at the start of room for the longest.
    func digest(
        of message: Span<UInt8>,
        _ hash: HashAlgorithm
    ) throws(CryptographyError) -> InlineArray<64, UInt8> {
        guard let method = unsafe DigestMethods.method(for: hash) else {
            throw OpenSSLErrors.failure("EVP_MD_fetch")
        }
        var digest = InlineArray<64, UInt8>(repeating: 0)
        var room = digest.mutableSpan
        let isDone = unsafe message.withUnsafeBufferPointer { input in
            unsafe room.withUnsafeMutableBufferPointer { output in
                unsafe EVP_DigestInit_ex2(pointer, method, nil) == 1
                    && EVP_DigestUpdate(pointer, input.baseAddress, input.count) == 1
                    && EVP_DigestFinal_ex(pointer, output.baseAddress, nil) == 1
            }
        }
        guard isDone else { throw OpenSSLErrors.failure("EVP_DigestFinal_ex") }
        // OpenSSL clears the block that SHA-256 took last, but not that of the others.
        if hash != .sha256 { unsafe EVP_MD_CTX_reset(pointer) }
        return digest
    }
}
