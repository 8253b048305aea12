/// One installation of an app: a key that it alone holds.
public struct Installation: Sendable, Hashable {
    /// The identifier, 16 random octets in standard base64: the `did` claim.
    public let id: String
    /// The account that it belongs to.
    public let account: String
    /// The public key, a P-256 SubjectPublicKeyInfo in DER: the `ipk` claim.
    public internal(set) var publicKey: [UInt8]
    /// When it was enrolled, in seconds since 1970.
    public let enrolledAt: Int64
    /// Whether an operator has approved it.
    public var isApproved: Bool
    /// Whether an operator has shut it out.
    public var isRevoked: Bool

    /// Makes an installation.
    public init(
        id: String,
        account: String,
        publicKey: [UInt8],
        enrolledAt: Int64,
        isApproved: Bool = false,
        isRevoked: Bool = false
    ) {
        self.id = id
        self.account = account
        self.publicKey = publicKey
        self.enrolledAt = enrolledAt
        self.isApproved = isApproved
        self.isRevoked = isRevoked
    }
}
