import Cryptography
import Foundation
import JSONWebTokens
import OpenSSLFloor

/// What it costs to check a token, against the bare check of its signature over the same octets.
enum TokenBenchmarks {
    static let all: [Benchmark] = [
        Benchmark(name: "token HS256") { _ in
            let secret = Array(UInt8(0)..<32)
            let (verify, message, code) = try contender(
                for: JSONWebKey(SecretBytes(secret), algorithm: .hs256)
            )
            let key = try HMACKey(SecretBytes(secret), .sha256)
            let bare = Contender("HMACKey.isValid") {
                guard try key.isValid(code, for: message) else { throw BenchmarkError("the code is wrong") }
            }
            let floor = Contender(name: "EVP_MAC in C") { operations in
                let time = unsafe hmac_floor_run(
                    secret,
                    secret.count,
                    message,
                    message.count,
                    code,
                    code.count,
                    UInt64(operations)
                )
                guard time > 0 else { throw BenchmarkError("the code is wrong in C") }
                return .nanoseconds(Int64(time))
            }
            return [verify, bare, floor]
        },
        Benchmark(name: "token ES256") { _ in
            let key = try PrivateKey.generate(.p256)
            let (verify, message, signature) = try contender(for: JSONWebKey(key))
            let publicKey = key.publicKey
            let bare = Contender("PublicKey.isValidSignature") {
                guard try publicKey.isValidSignature(signature, for: message, using: .ecdsaP256SHA256) else {
                    throw BenchmarkError("the signature is wrong")
                }
            }
            return [verify, bare]
        },
    ]

    /// The verifier, and the octets that are signed and those of the signature.
    private static func contender(
        for key: JSONWebKey
    ) throws -> (Contender, message: [UInt8], signature: [UInt8]) {
        let claims = ServiceBenchmarks.makeClaims()
        let token = try TokenSigner(key: key).sign(claims)
        guard let dot = token.lastIndex(of: "."),
            let signature = Data(base64Encoded: padded(String(token[token.index(after: dot)...])))
        else { throw BenchmarkError("the token has another form") }
        let verifier = try TokenVerifier(
            key: key,
            issuer: claims.issuer,
            audience: claims.audience?.first
        )
        let now = Int64(Date.now.timeIntervalSince1970)
        let verify = Contender("TokenVerifier.verify") { _ = try verifier.verify(token, at: now) }
        return (verify, Array(token[..<dot].utf8), Array(signature))
    }

    /// The standard alphabet of base64 for text in that of URLs.
    private static func padded(_ text: String) -> String {
        text.replacing("-", with: "+").replacing("_", with: "/")
            + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }
}
