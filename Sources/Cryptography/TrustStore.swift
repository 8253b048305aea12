internal import COpenSSL

/// Roots of trust, read once and shared by all the connections of a session.
///
/// Thread safety: OpenSSL guards a store that is in use with its own lock, and nothing here changes one after it was made.
@safe
package final class TrustStore: Sendable {
    // nonisolated(unsafe): see the thread rule above.
    nonisolated(unsafe) let pointer: OpaquePointer
    /// What tells stores apart: a hash of all that was read.
    package let identity: [UInt8]

    /// Reads roots, and lists of certificates that their issuers have taken back.
    ///
    /// Certificates that are no roots may stand among them and are trusted like these.
    ///
    /// - Parameters:
    ///   - roots: One certificate or more, in PEM.
    ///   - revocationLists: One list or more, in PEM: every certificate of a chain but the root then needs a list that is
    ///     in force. Nil asks for none.
    /// - Throws: ``CryptographyError`` with code `invalidCertificate` when there is no certificate or list, or one that
    ///   cannot be read.
    package init(roots: [UInt8], revocationLists: [UInt8]? = nil) throws(CryptographyError) {
        identity = try HashAlgorithm.sha256.hash(
            try HashAlgorithm.sha256.hash(roots) + (revocationLists ?? [])
        )
        guard let pointer = unsafe X509_STORE_new() else { throw OpenSSLErrors.failure("X509_STORE_new") }
        unsafe self.pointer = unsafe pointer
        unsafe try Self.readAll(roots, "PEM_read_bio_X509") { input in
            guard let certificate = unsafe PEM_read_bio_X509(input, nil, nil, nil) else { return nil }
            defer { unsafe X509_free(certificate) }
            return unsafe X509_STORE_add_cert(pointer, certificate) == 1
        }
        var flags = UInt(X509_V_FLAG_PARTIAL_CHAIN)
        if let revocationLists {
            unsafe try Self.readAll(revocationLists, "PEM_read_bio_X509_CRL") { input in
                guard let list = unsafe PEM_read_bio_X509_CRL(input, nil, nil, nil) else { return nil }
                defer { unsafe X509_CRL_free(list) }
                return unsafe X509_STORE_add_crl(pointer, list) == 1
            }
            flags |= UInt(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL)
        }
        try OpenSSLErrors.check(unsafe X509_STORE_set_flags(pointer, flags), "X509_STORE_set_flags")
    }

    deinit { unsafe X509_STORE_free(pointer) }

    /// Reads objects until there are no more; `next` answers nil for an end or an object that cannot be read.
    private static func readAll(
        _ pem: [UInt8],
        _ function: StaticString,
        _ next: (OpaquePointer) -> Bool?
    ) throws(CryptographyError) {
        var count = 0
        // The stream reads the octets where they are, so it is gone before they may be.
        unsafe try pem.withUnsafeBufferPointer { octets throws(CryptographyError) in
            let input = unsafe BIO_new_mem_buf(octets.baseAddress, Int32(clamping: octets.count))
            guard let input = unsafe input else { throw OpenSSLErrors.failure("BIO_new_mem_buf") }
            defer { unsafe BIO_free(input) }
            while let isTaken = unsafe next(input) {
                guard isTaken else { throw OpenSSLErrors.failure(function, .invalidCertificate) }
                count += 1
            }
        }
        // The end shows as a block that does not start; any other error is a block that could not be read.
        let isEnd = copenssl_error_is_end_of_pem(ERR_peek_last_error()) == 1
        guard count > 0, isEnd else { throw OpenSSLErrors.failure(function, .invalidCertificate) }
        OpenSSLErrors.discard()
    }
}
