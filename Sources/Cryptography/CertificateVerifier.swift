internal import COpenSSL

/// Verifies certificates against roots of trust at a given time (RFC 5280, section 6).
///
/// Signatures, names, dates, path lengths, key usages and critical extensions are checked for the whole chain. What the leaf is
/// for is not: no purpose is asked for, because attestation certificates name purposes of their own. Nor is revocation.
/// OpenSSL takes a certificate as expired in its last second already. One value may be used from many threads at a time.
public final class CertificateVerifier: Sendable {
    private let store: TrustStore
    private let roots: [Certificate]

    /// Makes a verifier.
    ///
    /// - Parameter roots: The certificates to trust, one or more. They need not be self-signed.
    /// - Throws: ``CryptographyError`` with code `invalidInput` for no roots, or `libraryFailure`.
    public init(roots: [Certificate]) throws(CryptographyError) {
        guard !roots.isEmpty else { throw CryptographyError(.invalidInput, "there must be a root of trust") }
        self.roots = roots
        store = try TrustStore(roots: Array(roots.map(\.pem).joined().utf8))
    }

    /// Verifies a certificate.
    ///
    /// - Parameters:
    ///   - leaf: The certificate in question.
    ///   - intermediates: What may stand between it and a root, in any order; none of it is trusted.
    ///   - seconds: The time at which all must be in force, counted from 1970-01-01T00:00:00Z.
    /// - Returns: The verified chain, from the leaf to the root.
    /// - Throws: ``CryptographyError`` with code `certificateExpired`, `certificateNotYetValid` or
    ///   `untrustedCertificate`, or `libraryFailure`.
    public func verify(
        _ leaf: Certificate,
        intermediates: [Certificate],
        at seconds: Int64
    ) throws(CryptographyError) -> [Certificate] {
        // A chain longer than this is no attestation, and the search for an issuer grows with it.
        guard intermediates.count <= 8 else {
            throw CryptographyError(.untrustedCertificate, "there are more than 8 intermediate certificates")
        }
        let stack = try CertificateStack.make([leaf] + intermediates)
        guard let context = unsafe X509_STORE_CTX_new() else {
            throw OpenSSLErrors.failure("X509_STORE_CTX_new")
        }
        defer { unsafe X509_STORE_CTX_free(context) }
        let subject = unsafe copenssl_chain_value(stack.pointer, 0)
        let status = unsafe X509_STORE_CTX_init(context, store.pointer, subject, stack.pointer)
        try OpenSSLErrors.check(status, "X509_STORE_CTX_init")
        guard let parameters = unsafe X509_STORE_CTX_get0_param(context) else {
            throw OpenSSLErrors.failure("X509_STORE_CTX_get0_param")
        }
        unsafe X509_VERIFY_PARAM_set_time(parameters, Int(seconds))
        // 112 bits of security: no SHA-1 signatures, no RSA below 2048 bits.
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        guard unsafe X509_verify_cert(context) == 1 else {
            throw unsafe Self.failure(X509_STORE_CTX_get_error(context))
        }
        let chain = try unsafe CertificateStack.read(
            X509_STORE_CTX_get0_chain(context),
            known: [leaf] + intermediates + roots
        )
        // OpenSSL takes some old certificates for authorities that do not say so. The root is what the caller trusts.
        guard chain.first == leaf, chain.dropFirst().dropLast().allSatisfy(\.isCA) else {
            throw CryptographyError(.untrustedCertificate, "an issuer of the chain is no authority")
        }
        return chain
    }

    private static func failure(_ error: Int32) -> CryptographyError {
        OpenSSLErrors.discard()
        let detail = unsafe X509_verify_cert_error_string(Int(error)).map { unsafe String(cString: $0) } ?? ""
        return switch error {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            CryptographyError(.certificateExpired, "a certificate of the chain has expired", detail: detail)
        case X509_V_ERR_CERT_NOT_YET_VALID:
            CryptographyError(
                .certificateNotYetValid,
                "a certificate of the chain is not yet in force",
                detail: detail
            )
        case X509_V_ERR_OUT_OF_MEM:
            CryptographyError(.libraryFailure, "X509_verify_cert failed", detail: detail)
        default:
            CryptographyError(.untrustedCertificate, "the chain leads to no root of trust", detail: detail)
        }
    }
}
