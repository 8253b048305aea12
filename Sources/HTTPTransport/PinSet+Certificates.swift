import Cryptography
public import HTTPMessages

extension PinSet {
    /// The pins of the keys that certificates have.
    ///
    /// - Parameters:
    ///   - certificates: One certificate in DER, or any number in PEM.
    ///   - expiresAt: When the set ends, in seconds since 1970; nil for never.
    ///   - mode: What happens when no pin fits.
    /// - Throws: ``TransportError`` with code `invalidConfiguration` for octets that hold no certificate.
    public init(
        certificates: [UInt8],
        expiresAt: Int64? = nil,
        mode: Mode = .enforce
    ) throws(TransportError) {
        do {
            // DER starts with a SEQUENCE, which is no letter of PEM.
            let parsed =
                certificates.first == 0x30
                ? [try Certificate(der: certificates)]
                : try Certificate.all(pem: String(decoding: certificates, as: UTF8.self))
            guard !parsed.isEmpty else { throw CryptographyError(.invalidPEM, "there is no certificate") }
            let pins = try parsed.map { try PublicKeyPin(sha256: $0.subjectPublicKeyInfoSHA256) }
            self.init(pins, expiresAt: expiresAt, mode: mode)
        } catch {
            throw TransportError(.invalidConfiguration, "a certificate to pin is neither DER nor PEM")
        }
    }

    /// The pins of the keys that the certificates of a file have.
    ///
    /// - Throws: ``TransportError`` with code `invalidConfiguration` for a file that cannot be read or holds no certificate.
    public init(
        certificateFile path: String,
        expiresAt: Int64? = nil,
        mode: Mode = .enforce
    ) throws(TransportError) {
        let bytes = try TrustRootsLoader.bytes(of: path)
        try self.init(certificates: bytes, expiresAt: expiresAt, mode: mode)
    }
}
