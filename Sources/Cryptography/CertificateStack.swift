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
            let parsed: OpaquePointer? = unsafe certificate.der.withUnsafeBufferPointer { input in
                var next = input.baseAddress
                return unsafe d2i_X509(nil, &next, input.count)
            }
            guard let parsed = unsafe parsed else { throw OpenSSLErrors.failure("d2i_X509") }
            guard unsafe copenssl_chain_push(stack.pointer, parsed) == 1 else {
                unsafe X509_free(parsed)
                throw OpenSSLErrors.failure("sk_X509_push")
            }
        }
        return stack
    }

    /// Reads the certificates out of a list that somebody else owns.
    static func read(_ chain: OpaquePointer?) throws(CryptographyError) -> [Certificate] {
        var certificates: [Certificate] = []
        for position in 0..<max(0, unsafe copenssl_chain_count(chain)) {
            let certificate = unsafe copenssl_chain_value(chain, position)
            guard let der = unsafe OutputBytes.encode({ unsafe i2d_X509(certificate, $0) }) else {
                throw OpenSSLErrors.failure("i2d_X509")
            }
            certificates.append(try Certificate(der: der))
        }
        return certificates
    }
}
