import Encodings

/// What an installation signs with its key to show the authority who asks, and for what.
///
/// The text is `swift-protection/1`, then one line each for the purpose and its parts; no part holds a line break, so
/// two different proofs never give one text, and a proof for one purpose is none for another.
public enum InstallationProof: Sendable, Hashable {
    /// Enrols a public key, a SubjectPublicKeyInfo in DER.
    case enrollment(account: String, nonce: String, publicKey: [UInt8])
    /// Asks for a token for an audience, bound to a hash.
    case token(account: String, installation: String, nonce: String, audience: String, dataHash: [UInt8]?)
    /// Reads a secure string, or defines or deletes it: then with the SHA-256 of the definition's UTF-8, which is empty
    /// for a deletion.
    case secureString(
        account: String,
        installation: String,
        nonce: String,
        key: String,
        definitionHash: [UInt8]?
    )
    /// Asks for the signature of a payload, with the SHA-256 of its UTF-8.
    case customJWT(account: String, installation: String, nonce: String, payloadHash: [UInt8])
    /// Asks for the account key of an identifier, or for the present one.
    case accountKey(account: String, installation: String, nonce: String, identifier: String?)
    /// Puts another public key in the place of the installation's; both keys sign.
    case replacement(account: String, installation: String, nonce: String, publicKey: [UInt8])

    /// The octets to sign with ECDSA over P-256 and SHA-256.
    public var signedBytes: [UInt8] {
        let lines: [String] =
            switch self {
            case .enrollment(let account, let nonce, let publicKey):
                ["enrollment", account, nonce, Base64.standard.encode(publicKey)]
            case .token(let account, let installation, let nonce, let audience, let dataHash):
                [
                    "token", account, installation, nonce, audience,
                    dataHash.map(Base64.standard.encode) ?? "-",
                ]
            case .secureString(let account, let installation, let nonce, let key, let definitionHash):
                // The key is the app's own text, which may hold anything.
                [
                    "secure-string", account, installation, nonce, Base64.standard.encode(Array(key.utf8)),
                    definitionHash.map(Base64.standard.encode) ?? "-",
                ]
            case .customJWT(let account, let installation, let nonce, let payloadHash):
                ["custom-jwt", account, installation, nonce, Base64.standard.encode(payloadHash)]
            case .accountKey(let account, let installation, let nonce, let identifier):
                // A token names the key, and what stands in a token may be anything.
                [
                    "account-key", account, installation, nonce,
                    identifier.map { Base64.standard.encode(Array($0.utf8)) } ?? "-",
                ]
            case .replacement(let account, let installation, let nonce, let publicKey):
                ["replacement", account, installation, nonce, Base64.standard.encode(publicKey)]
            }
        return Array((["swift-protection/1"] + lines).joined(separator: "\n").utf8)
    }
}
