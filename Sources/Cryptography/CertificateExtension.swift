/// An extension of a certificate (RFC 5280, section 4.2).
public struct CertificateExtension: Sendable, Hashable {
    /// The content of `extnValue`: an element in DER of its own.
    public let value: [UInt8]
    /// Whether who does not know the extension must refuse the certificate.
    public let isCritical: Bool
}
