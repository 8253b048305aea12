import JSONWebTokens
import MessageSignatures

/// Reads keys for message signatures, in the forms of ``KeyFile``.
struct MessageKeyFile {
    private let file: KeyFile

    init(_ invocation: Invocation) throws {
        let name = invocation.arguments["alg"]
        file = KeyFile(invocation, algorithm: name.flatMap(MessageSignatureAlgorithm.init)?.forTokens)
    }

    /// Reads a private key or a secret, with the name that it carries.
    func signingKey(_ path: String) throws -> (key: MessageSigningKey, name: String?) {
        let key = try file.signingKey(path)
        let algorithm = try Self.algorithm(of: key)
        guard let material = key.signingMaterial else {
            throw ToolError(.publicKeyGiven, "the key is not one for signing")
        }
        switch material {
        case .privateKey(let privateKey):
            return (try MessageSigningKey(privateKey, algorithm: algorithm), key.keyID)
        case .secret(let secret): return (try MessageSigningKey(secret), key.keyID)
        }
    }

    /// Reads a public key or a secret, with the name that it carries; of a private key only the public half is used.
    func verificationKey(_ path: String) throws -> (key: MessageVerificationKey, name: String?) {
        let key = try file.verifyingKey(path)
        let algorithm = try Self.algorithm(of: key)
        guard let material = key.verifyingMaterial else {
            throw ToolError(.wrongKey, "the key is not one for verifying")
        }
        switch material {
        case .publicKey(let publicKey):
            return (try MessageVerificationKey(publicKey, algorithm: algorithm), key.keyID)
        case .secret(let secret): return (try MessageVerificationKey(secret), key.keyID)
        }
    }

    private static func algorithm(of key: JSONWebKey) throws(ToolError) -> MessageSignatureAlgorithm {
        guard
            let algorithm = MessageSignatureAlgorithm.allCases.first(where: { $0.forTokens == key.algorithm })
        else {
            throw ToolError(.wrongKey, "the key is for \(key.algorithm.rawValue), which RFC 9421 has not")
        }
        return algorithm
    }
}

extension MessageSignatureAlgorithm {
    /// The same algorithm under its name in tokens.
    fileprivate var forTokens: TokenAlgorithm {
        switch self {
        case .ecdsaP256SHA256: .es256
        case .ecdsaP384SHA384: .es384
        case .hmacSHA256: .hs256
        case .ed25519: .edDSA
        case .rsaPSSSHA512: .ps512
        case .rsaPKCS1SHA256: .rs256
        }
    }
}
