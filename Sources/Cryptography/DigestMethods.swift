internal import COpenSSL

/// The hash methods, fetched once for the life of the process.
///
/// EVP_sha256() and its kind make every call search the providers again, which costs more than hashing a short message.
/// A fetched EVP_MD is immutable and reference counted, so any thread may use it. The three are never freed.
enum DigestMethods {
    // nonisolated(unsafe): set once, under the runtime's own once-lock, and read-only after that.
    nonisolated(unsafe) private static let sha256 = unsafe EVP_MD_fetch(nil, "SHA2-256", nil)
    nonisolated(unsafe) private static let sha384 = unsafe EVP_MD_fetch(nil, "SHA2-384", nil)
    nonisolated(unsafe) private static let sha512 = unsafe EVP_MD_fetch(nil, "SHA2-512", nil)

    /// The EVP_MD, borrowed, or nil when no provider offers it.
    static func method(for algorithm: HashAlgorithm) -> OpaquePointer? {
        switch algorithm {
        case .sha256: unsafe sha256
        case .sha384: unsafe sha384
        case .sha512: unsafe sha512
        }
    }
}
