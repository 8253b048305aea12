/// Who asks the authority for something, and the proof of it.
public struct InstallationAccess: Sendable {
    /// The account that the installation belongs to.
    public let account: String
    /// The identifier of the installation.
    public let installation: String
    /// A nonce of the account; it is used up whatever comes of the call.
    public let nonce: String
    /// ECDSA over P-256 and SHA-256 of the ``InstallationProof``, 64 octets.
    public let proof: [UInt8]
    /// The address that the call came from, for the `ip` claim.
    public let clientAddress: String?
    /// A development key of the account.
    public let developmentKey: String?

    /// Makes the statement of a caller.
    public init(
        account: String,
        installation: String,
        nonce: String,
        proof: [UInt8],
        clientAddress: String? = nil,
        developmentKey: String? = nil
    ) {
        self.account = account
        self.installation = installation
        self.nonce = nonce
        self.proof = proof
        self.clientAddress = clientAddress
        self.developmentKey = developmentKey
    }
}

extension InstallationAccess: CustomStringConvertible, CustomReflectable {
    /// The account and the installation, without proof and keys.
    public var description: String { "\(account)|\(installation)" }

    /// No children, so that a dump shows no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
