public import Cryptography
public import FoundationEssentials
internal import HTTPMessages

/// An access key with its secret, and for temporary credentials the token and the end of their life.
///
/// Neither the description nor a dump shows more than the access key's identifier, which is no secret.
public struct AWSCredentials: Sendable {
    /// The identifier of the access key; it stands in every signature.
    public let accessKeyID: String
    /// The secret, which never leaves the process.
    public let secretAccessKey: SecretBytes
    /// The token that is sent with temporary credentials; whoever has it and the secret can act with them.
    public var sessionToken: String? { tokenField?.value }
    /// When temporary credentials end.
    public internal(set) var expiration: Date?
    let tokenField: HTTPField?

    /// Checks and keeps credentials.
    ///
    /// - Parameters:
    ///   - accessKeyID: 1 to 128 visible ASCII characters without `/`, `,`, `;`, `=`.
    ///   - secretAccessKey: At least one octet; no control character and no blank at an end, as a copied line has it.
    ///   - sessionToken: Visible ASCII characters, or nil.
    ///   - expiration: The end of temporary credentials, or nil.
    /// - Throws: ``AWSSigningError`` with code `invalidCredentials`.
    public init(
        accessKeyID: String,
        secretAccessKey: SecretBytes,
        sessionToken: String? = nil,
        expiration: Date? = nil
    ) throws(AWSSigningError) {
        guard (1...128).contains(accessKeyID.utf8.count), accessKeyID.utf8.allSatisfy(Self.isVisible),
            !accessKeyID.utf8.contains(where: { "/,;=".utf8.contains($0) })
        else {
            throw AWSSigningError(.invalidCredentials, "the access key is empty or holds a wrong character")
        }
        guard secretAccessKey.withBytes(Self.isSecret) else {
            throw AWSSigningError(.invalidCredentials, "the secret key is empty or holds a wrong character")
        }
        if let sessionToken {
            guard !sessionToken.isEmpty, sessionToken.utf8.allSatisfy(Self.isVisible) else {
                throw AWSSigningError(
                    .invalidCredentials,
                    "the session token is empty or holds a wrong character"
                )
            }
        }
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.expiration = expiration
        tokenField = try sessionToken.map { token throws(AWSSigningError) in
            try AWSSigningError.message(.invalidCredentials, "the session token is not a field value") {
                () throws(HTTPMessageError) in try HTTPField(.amzSecurityToken, token)
            }
        }
    }

    private static func isVisible(_ octet: UInt8) -> Bool { (0x21...0x7E).contains(octet) }

    private static func isSecret(_ octets: Span<UInt8>) -> Bool {
        guard octets.count > 0, octets[0] != 0x20, octets[octets.count - 1] != 0x20 else { return false }
        for index in octets.indices where octets[index] < 0x20 || octets[index] == 0x7F { return false }
        return true
    }
}

extension AWSCredentials: CustomStringConvertible, CustomReflectable {
    /// The access key's identifier, and whether there is a token.
    public var description: String {
        "AWSCredentials(\(accessKeyID)\(tokenField == nil ? "" : ", with a session token"))"
    }

    /// A mirror of the identifier alone, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID]) }
}
