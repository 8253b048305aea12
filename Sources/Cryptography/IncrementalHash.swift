internal import COpenSSL

/// A hash that takes its input in pieces.
///
/// ``finalize()`` consumes the value, so a finished hash cannot be used again by mistake.
@safe
public struct IncrementalHash: ~Copyable {
    private let context: OpaquePointer

    /// Starts an empty hash.
    ///
    /// - Throws: ``CryptographyError`` with code `libraryFailure` when OpenSSL has no such hash or no memory.
    public static func start(_ algorithm: HashAlgorithm) throws(CryptographyError) -> IncrementalHash {
        guard let method = unsafe DigestMethods.method(for: algorithm) else {
            throw OpenSSLErrors.failure("EVP_MD_fetch")
        }
        guard let context = unsafe EVP_MD_CTX_new() else { throw OpenSSLErrors.failure("EVP_MD_CTX_new") }
        let hash = unsafe IncrementalHash(adopting: context)
        try OpenSSLErrors.check(unsafe EVP_DigestInit_ex2(hash.context, method, nil), "EVP_DigestInit_ex2")
        return hash
    }

    // A throwing init cannot own a C object in a type with a deinit; hence the static function above.
    private init(adopting context: OpaquePointer) { unsafe self.context = context }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Adds octets to the input.
    ///
    /// - Throws: ``CryptographyError`` with code `libraryFailure`.
    public mutating func update(_ bytes: [UInt8]) throws(CryptographyError) {
        try update(bytes.span)
    }

    /// Adds octets that stand in other storage, without a copy.
    public mutating func update(_ bytes: Span<UInt8>) throws(CryptographyError) {
        let status = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe EVP_DigestUpdate(context, input.baseAddress, input.count)
        }
        try OpenSSLErrors.check(status, "EVP_DigestUpdate")
    }

    /// Ends the input and gives the digest.
    ///
    /// - Throws: ``CryptographyError`` with code `libraryFailure`.
    public consuming func finalize() throws(CryptographyError) -> [UInt8] {
        let digest = unsafe OutputBytes.fill(capacity: Int(EVP_MAX_MD_SIZE)) { output in
            var length: UInt32 = 0
            return unsafe EVP_DigestFinal_ex(context, output, &length) == 1 ? Int(length) : nil
        }
        guard let digest else { throw OpenSSLErrors.failure("EVP_DigestFinal_ex") }
        return digest
    }
}
