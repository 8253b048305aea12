import Cryptography
import Foundation
import HTTPMessages
import MessageSignatures
import OpenSSLFloor
import StructuredFields

/// What it costs to sign and verify a message, against the bare signature over the same base.
///
/// The request has 7 covered components and 1 KiB of content. Signing makes its Content-Digest, verifying checks it.
enum SignatureBenchmarks {
    static let all: [Benchmark] = [
        Benchmark(name: "sign P-256", note: PythonPeer.note) { _ in
            let key = try PrivateKey.generate(.p256)
            let sample = try SignedSample(MessageSigningKey(key, algorithm: .ecdsaP256SHA256))
            let bare = Contender("PrivateKey.sign") { _ = try key.sign(sample.base, using: .ecdsaP256SHA256) }
            let pem = try key.pkcs8PEM()
            let floor = Contender(name: "EVP_PKEY_sign in C") { operations in
                let time = unsafe ecdsa_floor_run(
                    pem,
                    pem.utf8.count,
                    sample.base,
                    sample.base.count,
                    UInt64(operations)
                )
                guard time > 0 else { throw BenchmarkError("the signature cannot be made in C") }
                return .nanoseconds(Int64(time))
            }
            return try [sample.signing, floor, bare] + sample.peer("sign", keys(key))
        },
        Benchmark(name: "sign HMAC", note: PythonPeer.note) { _ in
            let sample = try SignedSample(MessageSigningKey(hmacKey()))
            let key = try hmacKey()
            let bare = Contender("HMACKey") { _ = try key.authenticationCode(for: sample.base) }
            return try [sample.signing, bare] + sample.peer("sign", secretQuestion)
        },
        Benchmark(name: "signature-input") { _ in
            let sample = try SignedSample(MessageSigningKey(hmacKey()))
            let octets = sample.field("signature-input")
            return [Contender("FieldDictionary") { _ = try FieldDictionary(parsing: octets) }]
        },
        Benchmark(name: "verify P-256", note: PythonPeer.note) { _ in
            let key = try PrivateKey.generate(.p256)
            let sample = try SignedSample(MessageSigningKey(key, algorithm: .ecdsaP256SHA256))
            let publicKey = key.publicKey
            let signature = sample.signature
            let bare = Contender("PublicKey.isValidSignature") {
                guard try publicKey.isValidSignature(signature, for: sample.base, using: .ecdsaP256SHA256)
                else {
                    throw BenchmarkError("the signature is wrong")
                }
            }
            let verify = sample.verifying(try MessageVerificationKey(publicKey, algorithm: .ecdsaP256SHA256))
            return try [verify, bare] + sample.peer("verify", keys(key))
        },
        Benchmark(name: "verify HMAC", note: PythonPeer.note) { _ in
            let sample = try SignedSample(MessageSigningKey(hmacKey()))
            let key = try hmacKey()
            let signature = sample.signature
            let bare = Contender("HMACKey.isValid") {
                guard try key.isValid(signature, for: sample.base) else {
                    throw BenchmarkError("the code is wrong")
                }
            }
            let verify = sample.verifying(try MessageVerificationKey(hmacKey()))
            return try [verify, bare] + sample.peer("verify", secretQuestion)
        },
    ]

    private static let secret = Array(UInt8(0)..<32)

    private static func hmacKey() throws -> HMACKey { try HMACKey(SecretBytes(secret), .sha256) }

    private static var secretQuestion: [String: any Sendable] {
        ["ask": "key", "algorithm": "hmac-sha256", "secret": Data(secret).base64EncodedString()]
    }

    private static func keys(_ key: PrivateKey) throws -> [String: any Sendable] {
        [
            "ask": "key", "algorithm": "ecdsa-p256-sha256", "private": try key.pkcs8PEM(),
            "public": key.publicKey.pem,
        ]
    }
}
