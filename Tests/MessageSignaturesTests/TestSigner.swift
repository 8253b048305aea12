import Cryptography
import Encodings
import HTTPMessages
import MessageSignatures
import Testing

/// A signer and a verifier that fit each other, for tests that change one thing.
struct TestSigner: Sendable {
    static let now: Int64 = 1_700_000_000

    // Not the message keys themselves: an enum hides a pointer's bits from the leak checker once it stands in a global.
    private let privateKey: PrivateKey?
    private let sharedKey: HMACKey?
    private let secret: [UInt8]?
    let algorithm: MessageSignatureAlgorithm

    /// Keys of every algorithm, made once.
    static let all: [TestSigner] = (try? MessageSignatureAlgorithm.allCases.map(TestSigner.init)) ?? []

    init(_ algorithm: MessageSignatureAlgorithm) throws {
        self.algorithm = algorithm
        let type: KeyType? =
            switch algorithm {
            case .hmacSHA256: nil
            case .ecdsaP256SHA256: .p256
            case .ecdsaP384SHA384: .p384
            case .ed25519: .ed25519
            case .rsaPSSSHA512, .rsaPKCS1SHA256: .rsa(bits: 2048)
            }
        privateKey = try type.map { try PrivateKey.generate($0) }
        secret = type == nil ? try RandomBytes.generate(count: 32) : nil
        sharedKey = try secret.map { try HMACKey(SecretBytes($0), .sha256) }
    }

    func signingKey() throws -> MessageSigningKey {
        if let privateKey { return try MessageSigningKey(privateKey, algorithm: algorithm) }
        return try MessageSigningKey(#require(sharedKey))
    }

    func verificationKey() throws -> MessageVerificationKey {
        if let privateKey { return try MessageVerificationKey(privateKey.publicKey, algorithm: algorithm) }
        return try MessageVerificationKey(#require(sharedKey))
    }

    /// The key in the form of a peer's question.
    func question() throws -> JSONObject {
        var question = JSONObject()
        question["ask"] = "key"
        question["algorithm"] = .string(algorithm.rawValue)
        if let secret { question["secret"] = .string(Base64.standard.encode(secret)) }
        if let privateKey {
            question["private"] = .string(try privateKey.pkcs8PEM())
            question["public"] = .string(privateKey.publicKey.pem)
        }
        return question
    }

    func signer(_ components: [ComponentIdentifier], label: String = "sig1") throws -> MessageSigner {
        MessageSigner(key: try signingKey(), label: label, components: components, now: { Self.now })
    }

    func verifier(_ policy: VerificationPolicy, at now: Int64 = TestSigner.now) throws -> MessageVerifier {
        let key = try verificationKey()
        return MessageVerifier(policy: policy, now: { now }, key: { _ in key })
    }

    static func request(_ fields: [(String, String)] = []) throws -> SignableMessage {
        var message = SignableMessage(
            method: .post,
            target: try SignableTarget("https://example.com/path?a=1&b=2"),
            content: Array("content".utf8)
        )
        for (name, value) in fields { message.fields.append(FieldLine(name, value)) }
        return message
    }
}

extension SignableMessage {
    /// The message with the two fields of a signature.
    func adding(_ signature: MessageSignature) -> SignableMessage {
        var message = self
        message.fields.append(FieldLine("Signature-Input", signature.signatureInputMember))
        message.fields.append(FieldLine("Signature", signature.signatureMember))
        return message
    }
}
