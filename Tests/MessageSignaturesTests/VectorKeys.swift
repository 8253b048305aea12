import Cryptography
import Encodings
import MessageSignatures
import Testing

/// The keys of a file of vectors.
struct VectorKeys: Sendable {
    private let keys: JSONObject

    init(_ keys: JSONObject) {
        self.keys = keys
    }

    /// The key that a `keyid` names, by its own name or by one of its other names.
    func verificationKey(identifier: String) throws -> MessageVerificationKey? {
        for (name, key) in keys.members {
            let others = key.object?["keyids"]?.array?.compactMap(\.string) ?? []
            if name == identifier || others.contains(identifier) { return try verificationKey(named: name) }
        }
        return nil
    }

    func verificationKey(named name: String) throws -> MessageVerificationKey? {
        guard let key = keys[name]?.object else { return nil }
        let algorithm = try #require(
            key["alg"]?.array?.first?.string.flatMap(MessageSignatureAlgorithm.init)
        )
        if let secret = try secret(key) { return try MessageVerificationKey(secret) }
        let pem = try #require(key["public_pem"]?.string)
        return try MessageVerificationKey(PublicKey(pem: pem), algorithm: algorithm)
    }

    func signingKey(named name: String, algorithm: String) throws -> MessageSigningKey {
        let key = try #require(keys[name]?.object)
        if let secret = try secret(key) { return try MessageSigningKey(secret) }
        let pem = try #require(key["private_pem"]?.string)
        return try MessageSigningKey(
            PrivateKey(pem: pem),
            algorithm: try #require(MessageSignatureAlgorithm(rawValue: algorithm))
        )
    }

    private func secret(_ key: JSONObject) throws -> HMACKey? {
        guard let text = key["secret_base64"]?.string else { return nil }
        return try HMACKey(SecretBytes(Base64.standard.decode(text)), .sha256)
    }
}
