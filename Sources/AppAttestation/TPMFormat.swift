public import Cryptography

/// WebAuthn's format `tpm` (Level 3, section 8.3): a TPM 2.0 certifies a key with its attestation key.
///
/// The TPM also says whether the key was made in it and can never leave it. A key that was imported, or that can be copied
/// to another place, is refused unless the format is told to take it, although WebAuthn itself does not ask.
///
/// SHA-1 is not taken, neither in signatures nor in names of keys.
public struct TPMFormat: AttestationFormat {
    /// `tpm`.
    public let name = "tpm"
    private let verifier: CertificateVerifier
    private let allowsPortableKeys: Bool

    /// Makes the format.
    ///
    /// - Parameters:
    ///   - roots: The roots of trust of the attestation keys' certificates.
    ///   - allowsPortableKeys: Whether to take keys without one of the attributes fixedTPM, fixedParent and
    ///     sensitiveDataOrigin. Such a key may exist outside the TPM as well, so that the statement proves no hardware.
    /// - Throws: ``AttestationError`` with code `libraryFailure`, also for an empty list of roots.
    public init(roots: [Certificate], allowsPortableKeys: Bool = false) throws(AttestationError) {
        self.allowsPortableKeys = allowsPortableKeys
        verifier = try AttestationError.run { () throws(CryptographyError) in
            try CertificateVerifier(roots: roots)
        }
    }

    /// Checks the chain, the form of the leaf, the TPM's signature, that it certifies this key for these data, and that the
    /// key stays in the TPM.
    ///
    /// - Throws: ``AttestationError`` with code `malformedStatement`, `unsupportedAlgorithm`, `certificateCount`,
    ///   `invalidCertificate`, `certificateExpired`, `certificateNotYetValid`, `untrustedCertificate`,
    ///   `unknownAuthenticator`, `invalidSignature`, `malformedTPMStructure`, `nonceMismatch`, `unsupportedKey`,
    ///   `keyMismatch`, `portableKeyNotAllowed` or `libraryFailure`.
    public func verify(_ context: AttestationContext) throws(AttestationError) -> AttestationEvidence {
        let statement = context.object.statement
        try context.requireMembers(["ver", "alg", "x5c", "sig", "certInfo", "pubArea"])
        guard statement["ver"]?.textString == "2.0", let info = statement["certInfo"]?.byteString,
            let area = statement["pubArea"]?.byteString
        else { throw AttestationError(.malformedStatement, "the statement is not one of a TPM 2.0") }
        let (algorithm, signature) = try StatementSignature.read(statement)
        guard let hash = algorithm.hash else {
            throw AttestationError(.unsupportedAlgorithm, "the algorithm is not one of a TPM")
        }
        let chain = try context.verifiedChain(count: 1...8, verifier)
        try AttestationError.certificate { () throws(CryptographyError) in try Self.checkForm(chain[0]) }
        try AuthenticatorCertificate.checkAAGUID(chain[0], context.object.credential.aaguid)
        let key = try AttestationError.certificate { () throws(CryptographyError) in try chain[0].publicKey }
        try StatementSignature.check(signature, info, key, algorithm)
        let certification = try TPMCertification(info)
        let digest = try AttestationError.run { () throws(CryptographyError) in
            try hash.hash(context.signedBytes)
        }
        guard ConstantTime.equal(certification.extraData, digest) else {
            throw AttestationError(.nonceMismatch, "the TPM certified the key for other data")
        }
        let publicArea = try TPMPublicArea(area)
        guard let nameHash = TPMPublicArea.hash(publicArea.nameAlgorithm) else {
            throw AttestationError(.unsupportedAlgorithm, "the key's name has an unsupported hash")
        }
        let name = try AttestationError.run { () throws(CryptographyError) in try nameHash.hash(area) }
        let number = publicArea.nameAlgorithm
        let expected = [UInt8(number >> 8), UInt8(number & 0xFF)] + name
        guard ConstantTime.equal(certification.name, expected) else {
            throw AttestationError(.keyMismatch, "the TPM certified another key")
        }
        guard allowsPortableKeys || publicArea.isBoundToTPM else {
            throw AttestationError(
                .portableKeyNotAllowed,
                "the key was not made in the TPM, or can leave it"
            )
        }
        return AttestationEvidence(format: .tpm, certificates: chain, attestedKey: publicArea.publicKey)
    }

    /// Section 8.3.1.
    private static func checkForm(_ leaf: Certificate) throws(CryptographyError) {
        let names = try leaf.directoryNameAttributes()
        let alternativeNames = try leaf.extensionValue("2.5.29.17")
        // tcg-at-tpmManufacturer, -Model and -Version: 2.23.133.2.1 to .3.
        let hasTPM = (1...3).allSatisfy { number in
            names.contains { $0.type == [0x67, 0x81, 0x05, 0x02, UInt8(number)] }
        }
        guard try leaf.version() == 3, !leaf.isCA, try leaf.subjectAttributes().isEmpty, hasTPM,
            alternativeNames?.isCritical == true,
            try leaf.extendedKeyUsage()?.contains([0x67, 0x81, 0x05, 0x08, 0x03]) == true
        else {
            throw CryptographyError(
                .invalidCertificate,
                "the certificate is not one of a TPM's attestation key"
            )
        }
    }
}
