import Cryptography

/// What the certificates of the formats of WebAuthn have in common.
enum AuthenticatorCertificate {
    /// Compares the AAGUID, if the certificate holds one: an OCTET STRING of 16 octets, not critical (section 8.2.1).
    ///
    /// - Throws: ``AttestationError`` with code `invalidCertificate` or `unknownAuthenticator`.
    static func checkAAGUID(_ leaf: Certificate, _ aaguid: [UInt8]) throws(AttestationError) {
        let found = try AttestationError.certificate { () throws(CryptographyError) in
            try leaf.extensionValue("1.3.6.1.4.1.45724.1.1.4")
        }
        guard let found else { return }
        guard !found.isCritical, found.value.count == 18, found.value.starts(with: [0x04, 0x10]) else {
            throw AttestationError(.invalidCertificate, "the certificate's AAGUID is not in its form")
        }
        guard ConstantTime.equal(Array(found.value.dropFirst(2)), aaguid) else {
            throw AttestationError(.unknownAuthenticator, "the AAGUID is not the certificate's")
        }
    }
}
