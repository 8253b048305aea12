public import Cryptography

/// A key that was attested, as a backend keeps it.
public struct AttestedKey: Sendable, Hashable {
    /// The identifier, under which the client presents the key.
    public let keyID: [UInt8]
    /// The key.
    public let publicKey: PublicKey
    /// The one algorithm that the key signs with.
    public let algorithm: SignatureAlgorithm
    /// How assertions are signed.
    public let scheme: AssertionScheme
    /// The app identifier (team identifier or prefix, a dot, the bundle identifier) or the relying party.
    public let appID: String
    /// Apple's environment; nil for other formats.
    public let environment: AppAttestEnvironment?
    /// The counter of the last assertion, or of the attestation when there was none.
    public var counter: UInt32

    /// Makes a key out of what was stored.
    public init(
        keyID: [UInt8],
        publicKey: PublicKey,
        algorithm: SignatureAlgorithm = .ecdsaP256SHA256,
        scheme: AssertionScheme = .appAttest,
        appID: String,
        environment: AppAttestEnvironment?,
        counter: UInt32
    ) {
        self.keyID = keyID
        self.publicKey = publicKey
        self.algorithm = algorithm
        self.scheme = scheme
        self.appID = appID
        self.environment = environment
        self.counter = counter
    }
}
