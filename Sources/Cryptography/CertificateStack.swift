internal import COpenSSL

/// Owns OpenSSL's own list of certificates.
@safe
struct CertificateStack: ~Copyable {
    let pointer: OpaquePointer

    private init(adopting pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe copenssl_chain_free(pointer) }

    /// Makes a list of certificates in the order given.
    ///
    /// - Throws: ``CryptographyError`` with code `libraryFailure`.
    static func make(_ certificates: [Certificate]) throws(CryptographyError) -> CertificateStack {
        guard let pointer = unsafe copenssl_chain_new() else {
            throw OpenSSLErrors.failure("sk_X509_new_null")
        }
        let stack = unsafe CertificateStack(adopting: pointer)
        for certificate in certificates {
            let pointer = unsafe certificate.reader.certificate
            guard unsafe X509_up_ref(pointer) == 1 else { throw OpenSSLErrors.failure("X509_up_ref") }
            guard unsafe copenssl_chain_push(stack.pointer, pointer) == 1 else {
                unsafe X509_free(pointer)
                throw OpenSSLErrors.failure("sk_X509_push")
            }
        }
        return stack
    }

    /// Reads the certificates out of a list that somebody else owns.
    ///
    /// - Parameters:
    ///   - chain: The list.
    ///   - known: Certificates that may stand in it and need not be read again.
    /// - Returns: The certificates in their order.
    /// - Throws: ``CryptographyError`` with code `invalidCertificate` or `libraryFailure`.
    static func read(
        _ chain: OpaquePointer?,
        known: [Certificate] = []
    ) throws(CryptographyError) -> [Certificate] {
        var certificates: [Certificate] = []
        for position in 0..<max(0, unsafe copenssl_chain_count(chain)) {
            let certificate = unsafe copenssl_chain_value(chain, position)
            guard let der = unsafe OutputBytes.encode({ unsafe i2d_X509(certificate, $0) }) else {
                throw OpenSSLErrors.failure("i2d_X509")
            }
            if let same = known.first(where: { $0.der == der }) {
                certificates.append(same)
            } else {
                certificates.append(try Certificate(der: der))
            }
        }
        return certificates
    }
}
