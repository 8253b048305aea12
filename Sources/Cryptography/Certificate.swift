internal import COpenSSL
import Encodings

/// An X.509 certificate (RFC 5280), read but not judged.
///
/// Whether it is in force, who issued it and what for is a matter of verification, which stands elsewhere. One value may be
/// used from many threads at a time.
public final class Certificate: Sendable {
    /// The certificate in DER, as it was read.
    public let der: [UInt8]
    /// The subject's name in the text form of RFC 2253.
    public let subject: String
    /// The issuer's name in the text form of RFC 2253.
    public let issuer: String
    /// The serial number in lower-case hexadecimal, without leading zeros.
    public let serialNumber: String
    /// The first second in which the certificate is in force, counted from 1970-01-01T00:00:00Z.
    public let notBefore: Int64
    /// The last second in which the certificate is in force, counted from 1970-01-01T00:00:00Z.
    public let notAfter: Int64
    /// The DNS names of the subject alternative name, as written; often with a leading `*.`.
    public let dnsNames: [String]
    /// Whether the certificate says, in basic constraints and key usage, that it may issue others.
    public let isCA: Bool
    /// The SubjectPublicKeyInfo in DER.
    public let subjectPublicKeyInfo: [UInt8]
    /// The SHA-256 of the SubjectPublicKeyInfo, which is what pins compare (RFC 7469, section 2.4).
    public let subjectPublicKeyInfoSHA256: [UInt8]
    /// The subject's name in DER, for the certificates that this one issues.
    package let subjectDER: [UInt8]
    /// The content of the subject key identifier, if there is one.
    let subjectKeyIdentifier: [UInt8]?
    /// The certificate as OpenSSL read it.
    ///
    /// To read one takes 0.3 ms, most of that in finding a decoder for the key.
    let reader: CertificateReader

    /// Reads one certificate in DER, and nothing after it.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidCertificate`, or `libraryFailure`.
    public init(der: [UInt8]) throws(CryptographyError) {
        reader = try CertificateReader.open(der)
        self.der = der
        subject = try reader.subject()
        issuer = try reader.issuer()
        serialNumber = try reader.serialNumber()
        notBefore = try reader.notBefore()
        notAfter = try reader.notAfter()
        dnsNames = try reader.dnsNames()
        isCA = reader.isCA()
        subjectPublicKeyInfo = try reader.subjectPublicKeyInfo()
        subjectPublicKeyInfoSHA256 = try HashAlgorithm.sha256.hash(subjectPublicKeyInfo)
        subjectDER = try reader.subjectDER()
        subjectKeyIdentifier = try reader.subjectKeyIdentifier()
    }

    /// Reads one PEM block with the label CERTIFICATE, and nothing around it.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidPEM`, or those of ``init(der:)``.
    public convenience init(pem: String) throws(CryptographyError) {
        let block = try PEM(pem)
        guard block.label == "CERTIFICATE" else {
            throw CryptographyError(.invalidPEM, "the PEM block is not a CERTIFICATE")
        }
        try self.init(der: block.bytes)
    }

    /// Reads every certificate of a bundle, in order.
    ///
    /// Lines between the blocks are explanations and ignored (RFC 7468, section 5.2). A block of another kind is an
    /// error, and so is a bundle without certificates.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidPEM`, or those of ``init(der:)``.
    public static func all(pem: String) throws(CryptographyError) -> [Certificate] {
        var certificates: [Certificate] = []
        for block in try PEM.all(in: pem, allowingText: true) {
            guard block.label == "CERTIFICATE" else {
                throw CryptographyError(.invalidPEM, "a PEM block of the bundle is not a CERTIFICATE")
            }
            certificates.append(try Certificate(der: block.bytes))
        }
        guard !certificates.isEmpty else {
            throw CryptographyError(.invalidPEM, "the bundle holds no certificate")
        }
        return certificates
    }

    /// The certificate as a PEM block CERTIFICATE.
    public var pem: String { PEM(label: "CERTIFICATE", bytes: der).text }

    /// The subject's public key.
    ///
    /// - Throws: ``CryptographyError`` for a key that this library does not take, under the rules of
    ///   ``PublicKey/init(der:)``.
    public var publicKey: PublicKey {
        get throws(CryptographyError) { try PublicKey(der: subjectPublicKeyInfo) }
    }
}

extension Certificate: Hashable, CustomStringConvertible {
    /// Whether both are the same certificate, octet by octet.
    public static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }

    /// Hashes the DER.
    public func hash(into hasher: inout Hasher) { hasher.combine(der) }

    /// The subject and the serial number.
    public var description: String { "Certificate(\(subject), serial \(serialNumber))" }
}
