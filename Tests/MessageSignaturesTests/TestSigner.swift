import Cryptography
import HTTPMessages
import MessageSignatures

/// A signer and a verifier that fit each other, for tests that change one thing.
struct TestSigner: Sendable {
    static let now: Int64 = 1_700_000_000

    let signingKey: MessageSigningKey
    let verificationKey: MessageVerificationKey

    /// Keys of every algorithm, made once.
    static let all: [TestSigner] = (try? MessageSignatureAlgorithm.allCases.map(TestSigner.init)) ?? []

    init(_ algorithm: MessageSignatureAlgorithm) throws {
        let type: KeyType
        switch algorithm {
        case .hmacSHA256:
            let key = try HMACKey(SecretBytes.random(count: 32), .sha256)
            signingKey = try MessageSigningKey(key)
            verificationKey = try MessageVerificationKey(key)
            return
        case .ecdsaP256SHA256: type = .p256
        case .ecdsaP384SHA384: type = .p384
        case .ed25519: type = .ed25519
        case .rsaPSSSHA512, .rsaPKCS1SHA256: type = .rsa(bits: 2048)
        }
        let key = try PrivateKey.generate(type)
        signingKey = try MessageSigningKey(key, algorithm: algorithm)
        verificationKey = try MessageVerificationKey(key.publicKey, algorithm: algorithm)
    }

    func signer(_ components: [ComponentIdentifier], label: String = "sig1") -> MessageSigner {
        MessageSigner(key: signingKey, label: label, components: components, now: { Self.now })
    }

    func verifier(_ policy: VerificationPolicy, at now: Int64 = TestSigner.now) -> MessageVerifier {
        let key = verificationKey
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
