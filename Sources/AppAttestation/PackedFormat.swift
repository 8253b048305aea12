public import Cryptography

/// WebAuthn's format `packed` (Level 3, section 8.2): a signature of an attestation key with certificates, or of the key itself.
public struct PackedFormat: AttestationFormat {
    /// `packed`.
    public let name = "packed"
    private let verifier: CertificateVerifier?
    private let allowsSelfAttestation: Bool

    /// Makes the format.
    ///
    /// - Parameters:
    ///   - roots: The roots of trust; with none, statements with certificates are refused.
    ///   - allowsSelfAttestation: Whether to take statements without certificates, which prove no more than that the
    ///     client has the private key.
    /// - Throws: ``AttestationError`` with code `libraryFailure`.
    public init(roots: [Certificate], allowsSelfAttestation: Bool = false) throws(AttestationError) {
        verifier =
            roots.isEmpty
            ? nil
            : try AttestationError.run { () throws(CryptographyError) in try CertificateVerifier(roots: roots)
            }
        self.allowsSelfAttestation = allowsSelfAttestation
    }

    /// Checks the chain, the form of the leaf and the signature.
    ///
    /// - Throws: ``AttestationError`` with code `malformedStatement`, `unsupportedAlgorithm`, `invalidSignature` or
    ///   `libraryFailure`; without certificates also `selfAttestationNotAllowed`; with them `certificateCount`,
    ///   `invalidCertificate`, `certificateExpired`, `certificateNotYetValid`, `untrustedCertificate` or
    ///   `unknownAuthenticator`.
    public func verify(_ context: AttestationContext) throws(AttestationError) -> AttestationEvidence {
        let statement = context.object.statement
        let hasCertificates = statement["x5c"] != nil
        try context.requireMembers(hasCertificates ? ["alg", "sig", "x5c"] : ["alg", "sig"])
        let (algorithm, signature) = try StatementSignature.read(statement)
        guard hasCertificates else {
            guard allowsSelfAttestation else {
                throw AttestationError(.selfAttestationNotAllowed, "the key vouches for itself alone")
            }
            let key = context.object.credential.key
            guard algorithm == key.algorithm else {
                throw AttestationError(.unsupportedAlgorithm, "the algorithm is not that of the key")
            }
            try StatementSignature.check(signature, context.signedBytes, key.publicKey, algorithm)
            return AttestationEvidence(format: .selfAttested, certificates: [])
        }
        guard let verifier else {
            throw AttestationError(.untrustedCertificate, "there are no roots for certificates")
        }
        let chain = try context.verifiedChain(count: 1...8, verifier)
        try AttestationError.certificate { () throws(CryptographyError) in try Self.checkForm(chain[0]) }
        try AuthenticatorCertificate.checkAAGUID(chain[0], context.object.credential.aaguid)
        let key = try AttestationError.certificate { () throws(CryptographyError) in try chain[0].publicKey }
        try StatementSignature.check(signature, context.signedBytes, key, algorithm)
        return AttestationEvidence(format: .packed, certificates: chain)
    }

    /// Section 8.2.1.
    private static func checkForm(_ leaf: Certificate) throws(CryptographyError) {
        let attributes = try leaf.subjectAttributes()
        func values(_ type: UInt8) -> [[UInt8]] {
            attributes.filter { $0.type == [0x55, 0x04, type] }.map(\.value)
        }
        let country = values(6)
        guard try leaf.version() == 3, !leaf.isCA, country.count == 1, country[0].count == 2,
            values(10).count == 1, values(3).count == 1,
            values(11) == [Array("Authenticator Attestation".utf8)]
        else {
            throw CryptographyError(
                .invalidCertificate,
                "the certificate is not one of a packed attestation"
            )
        }
    }
}
