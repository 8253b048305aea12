/// Makes certificates: an authority of one's own for a demo or a test, and what it issues.
///
/// What comes out follows RFC 5280: version 3, a random positive serial number of 16 octets, subject and authority key
/// identifiers, key usage and, for leaves, one extended key usage. It is not a certification authority's software.
public struct CertificateBuilder: Sendable, Hashable {
    /// What the certificate is for.
    public enum Role: Sendable, Hashable {
        /// It may issue others, with at most so many authorities below it; nil for no limit.
        case authority(pathLength: Int?)
        /// A TLS server's.
        case server
        /// A TLS client's.
        case client
    }

    /// The subject's common name, 1 to 64 characters.
    public var commonName: String
    /// What the certificate is for.
    public var role: Role
    /// The first second in which it is in force, counted from 1970-01-01T00:00:00Z.
    public var notBefore: Int64
    /// The last second in which it is in force, counted from 1970-01-01T00:00:00Z.
    public var notAfter: Int64
    /// The DNS names of the subject alternative name, in ASCII, a leading `*.` allowed.
    public var dnsNames: [String] = []
    /// The IP addresses of the subject alternative name, such as `127.0.0.1` and `::1`.
    public var ipAddresses: [String] = []

    /// Starts a description of a certificate without alternative names.
    public init(commonName: String, role: Role, notBefore: Int64, notAfter: Int64) {
        self.commonName = commonName
        self.role = role
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Makes a certificate that its own key signs.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidInput` for values that do not fit in a certificate, or
    ///   `libraryFailure`.
    public func selfSigned(with key: PrivateKey) throws(CryptographyError) -> Certificate {
        let contents = try CertificateContents(self, key: key.publicKey)
        return try contents.signed(issuer: contents.subject, issuerKeyIdentifier: nil, by: key)
    }

    /// Makes a certificate that an authority signs.
    ///
    /// - Parameters:
    ///   - subject: The key that the certificate is about.
    ///   - issuer: The authority's certificate.
    ///   - key: The authority's private key.
    /// - Returns: The certificate, to be sent with those of the authorities between it and the root.
    /// - Throws: ``CryptographyError`` with code `invalidInput` for values that do not fit in a certificate, or an issuer
    ///   that is no authority or has another key; or `libraryFailure`.
    public func issued(
        for subject: PublicKey,
        by issuer: Certificate,
        key: PrivateKey
    ) throws(CryptographyError) -> Certificate {
        guard issuer.isCA else {
            throw CryptographyError(.invalidInput, "the issuer's certificate does not let it issue others")
        }
        guard issuer.subjectPublicKeyInfo == key.publicKey.spkiDER else {
            throw CryptographyError(.invalidInput, "the key is not the one in the issuer's certificate")
        }
        let contents = try CertificateContents(self, key: subject)
        return try contents.signed(
            issuer: issuer.subjectDER,
            issuerKeyIdentifier: issuer.subjectKeyIdentifier,
            by: key
        )
    }
}
