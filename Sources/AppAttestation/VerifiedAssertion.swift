/// The proof that an assertion was verified; only ``AssertionVerifier`` makes one.
public struct VerifiedAssertion: Sendable, Hashable {
    /// The identifier of the key.
    public let keyID: [UInt8]
    /// What vouched for the key when it was attested.
    public let format: AttestedKeyFormat
    /// The app identifier to which the key belongs.
    public let appID: String
    /// The environment to which the key belongs; nil for other formats than App Attest.
    public let environment: AppAttestEnvironment?
    /// The counter before: what was stored with the key.
    public let previousCounter: UInt32
    /// The counter of the assertion, to be stored by compare and swap.
    public let counter: UInt32
    /// The authenticator data.
    public let authenticatorData: AuthenticatorData
    /// What iOS 27 and later tell of the app; nil for keys that are not Apple's.
    public let appExtensions: AppAttestExtensions?
    /// The client data hash that was signed.
    public let clientDataHash: [UInt8]
}
