public import Cryptography

/// The proof that an attestation was verified; only ``AttestationVerifier`` makes one.
///
/// Whether the challenge was one of the backend's own, and used once, is the caller's matter.
public struct VerifiedAttestation: Sendable {
    /// The key to store, with the counter to start from.
    public let key: AttestedKey
    /// The name of the statement's format in the object; what vouches for the key is ``AttestedKey/format``.
    public let format: String
    /// The authenticator data.
    public let authenticatorData: AuthenticatorData
    /// The client data hash that was attested.
    public let clientDataHash: [UInt8]
    /// The verified chain from the leaf to the root; empty when the key vouches for itself alone.
    public let certificates: [Certificate]
    /// What iOS 27 and later tell of the app; nil for other formats.
    public let appExtensions: AppAttestExtensions?
    /// What Apple's credential certificate tells of app and system, by no document of Apple's; nil for other formats.
    public let credentialDetails: AppleCredentialDetails?
    /// The receipt, which ``key`` holds too, not verified: see ``ReceiptVerifier``.
    public let receipt: [UInt8]?
    /// The time at which the certificates were in force, in seconds since 1970-01-01T00:00:00Z.
    public let verifiedAt: Int64

    init(
        key: AttestedKey,
        context: AttestationContext,
        evidence: AttestationEvidence,
        traits: AuthenticatorTraits
    ) {
        self.key = key
        format = context.object.format
        authenticatorData = context.object.authenticatorData
        clientDataHash = context.clientDataHash
        certificates = evidence.certificates
        appExtensions = traits.appExtensions
        credentialDetails = evidence.credentialDetails
        receipt = evidence.receipt
        verifiedAt = context.time
    }
}
