internal import COpenSSL

/// A CMS SignedData with its content inside (RFC 5652, section 5), whose signature was verified.
///
/// The signer's certificate is only what the message says it is: verify ``signer`` with a ``CertificateVerifier`` next.
package struct SignedData: Sendable {
    /// The signed content.
    package let content: [UInt8]
    /// The certificate of the one signer.
    package let signer: Certificate
    /// All certificates of the message, in its order, the signer's among them.
    package let certificates: [Certificate]

    /// Reads the octets, in DER or BER, and verifies the signature over the content.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidSignedData` for other octets, octets after the end, no content,
    ///   any number of signers but one, or a wrong signature; `invalidCertificate`; or `libraryFailure`.
    package init(verifying ber: [UInt8]) throws(CryptographyError) {
        let message: OpaquePointer? = unsafe ber.withUnsafeBufferPointer { input in
            var next = input.baseAddress
            guard let message = unsafe d2i_CMS_ContentInfo(nil, &next, input.count) else { return nil }
            guard unsafe next == input.baseAddress.map({ unsafe $0 + input.count }) else {
                unsafe CMS_ContentInfo_free(message)
                return nil
            }
            return unsafe message
        }
        guard let message = unsafe message else {
            throw OpenSSLErrors.failure("d2i_CMS_ContentInfo", .invalidSignedData)
        }
        defer { unsafe CMS_ContentInfo_free(message) }
        content = try unsafe Self.verify(message)
        let signers = unsafe CMS_get0_signers(message)
        defer { unsafe copenssl_chain_free_shallow(signers) }
        let found = try unsafe CertificateStack.read(signers)
        guard found.count == 1, let signer = found.first else {
            throw CryptographyError(.invalidSignedData, "the message does not have exactly one signer")
        }
        self.signer = signer
        let all = unsafe CMS_get1_certs(message)
        defer { unsafe copenssl_chain_free(all) }
        certificates = try unsafe CertificateStack.read(all)
    }

    private static func verify(_ message: OpaquePointer) throws(CryptographyError) -> [UInt8] {
        guard unsafe OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed else {
            throw CryptographyError(.invalidSignedData, "the message is not signed data")
        }
        guard let output = unsafe BIO_new(BIO_s_mem()) else { throw OpenSSLErrors.failure("BIO_new") }
        defer { unsafe BIO_free(output) }
        // The chain is verified by the caller, at a time and with roots that this function does not know.
        let flags = UInt32(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY)
        guard unsafe CMS_verify(message, nil, nil, nil, output, flags) == 1 else {
            throw OpenSSLErrors.failure("CMS_verify", .invalidSignedData)
        }
        let length = unsafe BIO_ctrl_pending(output)
        guard length > 0 else { throw CryptographyError(.invalidSignedData, "the message has no content") }
        let bytes = unsafe OutputBytes.fill(capacity: length) {
            unsafe BIO_read(output, $0, Int32(clamping: length)) == Int32(clamping: length) ? length : nil
        }
        guard let bytes else { throw OpenSSLErrors.failure("BIO_read") }
        return bytes
    }
}
