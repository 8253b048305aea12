public import Cryptography

/// A key that was attested, as a backend keeps it.
public struct AttestedKey: Sendable, Hashable {
    /// The identifier, under which the client presents the key.
    public let keyID: [UInt8]
    /// The key.
    public let publicKey: PublicKey
    /// The one algorithm that the key signs with.
    public let algorithm: SignatureAlgorithm
    /// What vouched for the key.
    public let format: AttestedKeyFormat
    /// How assertions are signed.
    public let scheme: AssertionScheme
    /// The app identifier (team identifier or prefix, a dot, the bundle identifier) or the relying party.
    public let appID: String
    /// Apple's environment; nil for other formats.
    public let environment: AppAttestEnvironment?
    /// What iOS 27 and later told of the app when the key was attested; nil for other formats, or when it was not kept.
    ///
    /// A key that told its category then must tell one in each assertion, where a policy has categories.
    public let attestedExtensions: AppAttestExtensions?
    /// Apple's receipt, as it came with the attestation or from the last exchange, and not verified; nil for other formats.
    ///
    /// It belongs into the store with the key, in one step: after the attestation nobody gives it again.
    public var receipt: [UInt8]?
    /// The counter of the last assertion, or of the attestation when there was none.
    public var counter: UInt32

    /// Makes a key out of what was stored.
    public init(
        keyID: [UInt8],
        publicKey: PublicKey,
        algorithm: SignatureAlgorithm = .ecdsaP256SHA256,
        format: AttestedKeyFormat,
        scheme: AssertionScheme = .appAttest,
        appID: String,
        environment: AppAttestEnvironment?,
        counter: UInt32,
        attestedExtensions: AppAttestExtensions? = nil,
        receipt: [UInt8]? = nil
    ) {
        self.keyID = keyID
        self.publicKey = publicKey
        self.algorithm = algorithm
        self.format = format
        self.scheme = scheme
        self.appID = appID
        self.environment = environment
        self.counter = counter
        self.attestedExtensions = attestedExtensions
        self.receipt = receipt
    }
}
