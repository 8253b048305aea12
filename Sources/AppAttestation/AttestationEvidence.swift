public import Cryptography

/// What an attestation statement proves.
public struct AttestationEvidence: Sendable {
    /// What vouches for the key, as the store says it.
    public var format: AttestedKeyFormat
    /// The verified chain from the leaf to the root; empty when the key vouches for itself alone.
    public var certificates: [Certificate]
    /// The key that the statement itself names; nil when it names that of the authenticator data.
    public var attestedKey: PublicKey?
    /// The receipt for the fraud metric, unread; nil for formats without one.
    public var receipt: [UInt8]?
    /// What Apple's credential certificate tells beside the key; nil for other formats.
    public var credentialDetails: AppleCredentialDetails?

    /// Makes evidence.
    public init(
        format: AttestedKeyFormat,
        certificates: [Certificate],
        attestedKey: PublicKey? = nil,
        receipt: [UInt8]? = nil,
        credentialDetails: AppleCredentialDetails? = nil
    ) {
        self.format = format
        self.certificates = certificates
        self.attestedKey = attestedKey
        self.receipt = receipt
        self.credentialDetails = credentialDetails
    }
}
