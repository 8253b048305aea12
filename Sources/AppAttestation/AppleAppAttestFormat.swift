public import Cryptography

/// The format `apple-appattest`: a leaf of Apple's that names the key, and a nonce in it.
///
/// The steps are those of Apple's "Validating apps that connect to your server". Revocation is not checked: the
/// certificates name no place to ask.
public struct AppleAppAttestFormat: AttestationFormat {
    /// `apple-appattest`.
    public let name = "apple-appattest"
    /// App Attest's own.
    public let assertionScheme = AssertionScheme.appAttest
    private let environments: Set<AppAttestEnvironment>
    private let extensions: AppAttestExtensionPolicy
    private let verifier: CertificateVerifier

    /// Makes the format.
    ///
    /// - Parameters:
    ///   - environments: The environments to accept.
    ///   - extensions: What iOS 27 and later must tell of the app.
    ///   - roots: The roots of trust; nil for Apple App Attestation Root CA.
    /// - Throws: ``AttestationError`` with code `libraryFailure`, also for an empty list of roots.
    public init(
        environments: Set<AppAttestEnvironment> = [.production],
        extensions: AppAttestExtensionPolicy = .any,
        roots: [Certificate]? = nil
    ) throws(AttestationError) {
        self.environments = environments
        self.extensions = extensions
        verifier = try AttestationError.run { () throws(CryptographyError) in
            if let roots { return try CertificateVerifier(roots: roots) }
            return try CertificateVerifier(roots: [AppleRoots.appAttestation()])
        }
    }

    /// Checks chain, nonce and key identifier.
    ///
    /// - Throws: ``AttestationError`` with code `malformedStatement`, `certificateCount`, `invalidCertificate`,
    ///   `certificateExpired`, `certificateNotYetValid`, `untrustedCertificate`, `missingNonce`, `nonceMismatch`,
    ///   `keyIDMismatch` or `libraryFailure`.
    public func verify(_ context: AttestationContext) throws(AttestationError) -> AttestationEvidence {
        try context.requireMembers(["x5c", "receipt"])
        guard let receipt = context.object.statement["receipt"]?.byteString else {
            throw AttestationError(.malformedStatement, "the receipt is not a byte string")
        }
        let chain = try context.verifiedChain(count: 2...2, verifier)
        let leaf = chain[0]
        guard !leaf.isCA else {
            throw AttestationError(.invalidCertificate, "the leaf certificate is one of an authority")
        }
        let key: PublicKey = try AttestationError.certificate { () throws(CryptographyError) in
            try leaf.publicKey
        }
        guard key.keyType == .p256, let point = key.x963 else {
            throw AttestationError(.invalidCertificate, "the leaf's key is not one of P-256")
        }
        try checkNonce(in: leaf, context)
        let keyID = try AttestationError.run { () throws(CryptographyError) in
            try HashAlgorithm.sha256.hash(point)
        }
        guard ConstantTime.equal(keyID, context.keyID) else {
            throw AttestationError(.keyIDMismatch, "the leaf's key is not the one that the identifier names")
        }
        let details = try AttestationError.certificate { () throws(CryptographyError) in
            try AppleCredentialDetails(leaf)
        }
        return AttestationEvidence(
            format: .appleAppAttest,
            certificates: chain,
            attestedKey: key,
            receipt: receipt,
            credentialDetails: details
        )
    }

    /// Checks counter, environment and extensions.
    ///
    /// - Throws: ``AttestationError`` with code `counterNotZero`, `unknownAuthenticator`, `environmentNotAllowed`,
    ///   `malformedExtensions` or `extensionsNotAllowed`.
    public func checkAuthenticator(
        _ object: AttestationObject
    ) throws(AttestationError) -> AuthenticatorTraits {
        guard object.authenticatorData.counter == 0 else {
            throw AttestationError(.counterNotZero, "the counter of a new key must be zero")
        }
        let environment = AppAttestEnvironment.allCases.first { $0.aaguid == object.credential.aaguid }
        guard let environment else {
            throw AttestationError(.unknownAuthenticator, "the AAGUID is not one of App Attest")
        }
        guard environments.contains(environment) else {
            throw AttestationError(.environmentNotAllowed, "the key's environment is not accepted")
        }
        let extensions = try AppAttestExtensions(object.authenticatorData.extensions)
        try self.extensions.check(extensions)
        return AuthenticatorTraits(environment: environment, appExtensions: extensions)
    }

    /// SEQUENCE { [1] EXPLICIT OCTET STRING (SIZE 32) } up to the octets of the string.
    private static let nonceStart: [UInt8] = [0x30, 0x24, 0xA1, 0x22, 0x04, 0x20]

    private func checkNonce(
        in leaf: Certificate,
        _ context: AttestationContext
    ) throws(AttestationError) {
        let found = try AttestationError.certificate { () throws(CryptographyError) in
            try leaf.extensionValue("1.2.840.113635.100.8.2")
        }
        guard let value = found?.value, value.starts(with: Self.nonceStart),
            value.count == Self.nonceStart.count + 32
        else { throw AttestationError(.missingNonce, "the leaf certificate has no nonce in its form") }
        let nonce = try AttestationError.run { () throws(CryptographyError) in
            try HashAlgorithm.sha256.hash(context.signedBytes)
        }
        guard ConstantTime.equal(Array(value.dropFirst(Self.nonceStart.count)), nonce) else {
            throw AttestationError(.nonceMismatch, "the leaf certificate was issued for other data")
        }
    }
}
