import Cryptography
import Foundation

/// An attestation in the form of Apple's App Attest, under a root of its own, made for one run.
///
/// As at Apple, root and intermediate are of P-384 and the attested key is of P-256; the sizes are those of real objects, the
/// unread receipt included.
struct AppleSample {
    static let appID = "TEAM012345.com.example.benchmarks"
    static let challenge = Array("a challenge of the benchmarks".utf8)

    let root: Certificate
    let key: PrivateKey
    let keyID: [UInt8]
    let object: [UInt8]
    /// What an issuer signed, and with which key: all the signatures of the object.
    let signatures: [(key: PublicKey, message: [UInt8], signature: [UInt8])]

    init() throws {
        let now = Int64(Date.now.timeIntervalSince1970)
        let (rootKey, authorityKey) = try (PrivateKey.generate(.p384), PrivateKey.generate(.p384))
        func description(_ name: String, _ depth: Int?) -> CertificateBuilder {
            CertificateBuilder(
                commonName: name,
                role: .authority(pathLength: depth),
                notBefore: now - 86_400,
                notAfter: now + 86_400 * 365
            )
        }
        root = try description("benchmark root", nil).selfSigned(with: rootKey)
        let authority = try description("benchmark authority", 0)
            .issued(for: authorityKey.publicKey, by: root, key: rootKey)
        key = try PrivateKey.generate(.p256)
        let point = key.publicKey.x963 ?? []
        keyID = try HashAlgorithm.sha256.hash(point)
        let data =
            try HashAlgorithm.sha256.hash(Array(Self.appID.utf8)) + [0x40, 0, 0, 0, 0]
            + Array("appattest".utf8) + [UInt8](repeating: 0, count: 7) + [0, 32] + keyID
            + [0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20] + point[1..<33] + [0x22, 0x58, 0x20]
            + point[33...]
        let nonce = try HashAlgorithm.sha256.hash(data + HashAlgorithm.sha256.hash(Self.challenge))
        let issuer = try Self.issuer(in: authority.der)
        let body = Self.body(issuer: issuer, key: key.publicKey, nonce: nonce, now: now)
        let signature = try authorityKey.sign(body, using: .ecdsaP384SHA384, encoding: .der)
        let leaf = Self.element(0x30, body + Self.algorithm + Self.element(0x03, [0] + signature))
        object =
            Self.head(5, 3) + Self.text("fmt") + Self.text("apple-appattest") + Self.text("attStmt")
            + Self.head(5, 2) + Self.text("x5c") + Self.head(4, 2) + Self.bytes(leaf)
            + Self.bytes(authority.der) + Self.text("receipt")
            + Self.bytes([UInt8](repeating: 1, count: 3800)) + Self.text("authData") + Self.bytes(data)
        let outer = try Self.parts(authority.der)
        signatures = [
            (authorityKey.publicKey, body, signature),
            (rootKey.publicKey, outer.body, outer.signature),
        ]
    }

    /// The bare checks of all signatures.
    func checkSignatures() throws {
        for (key, message, signature) in signatures {
            let isRight = try key.isValidSignature(
                signature,
                for: message,
                using: .ecdsaP384SHA384,
                encoding: .der
            )
            guard isRight else { throw BenchmarkError("a certificate's signature is wrong") }
        }
    }

    /// An assertion by the attested key, with its counter at one.
    func assertion(clientDataHash: [UInt8]) throws -> [UInt8] {
        let data = try HashAlgorithm.sha256.hash(Array(Self.appID.utf8)) + [0x40, 0, 0, 0, 1]
        let nonce = try HashAlgorithm.sha256.hash(data + clientDataHash)
        let signature = try key.sign(nonce, using: .ecdsaP256SHA256, encoding: .der)
        return Self.head(5, 2) + Self.text("signature") + Self.bytes(signature)
            + Self.text("authenticatorData") + Self.bytes(data)
    }

    /// ecdsa-with-SHA384.
    private static let algorithm: [UInt8] = [
        0x30, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03,
    ]

    /// The leaf before its signature (RFC 5280, section 4.1).
    private static func body(issuer: [UInt8], key: PublicKey, nonce: [UInt8], now: Int64) -> [UInt8] {
        func entry(_ identifier: [UInt8], _ value: [UInt8], isCritical: Bool = false) -> [UInt8] {
            element(
                0x30,
                element(0x06, identifier) + (isCritical ? [1, 1, 0xFF] : []) + element(0x04, value)
            )
        }
        let extensions =
            entry([0x55, 0x1D, 0x13], [0x30, 0], isCritical: true)
            + entry([0x55, 0x1D, 0x0F], [3, 2, 4, 0xF0], isCritical: true)
            + entry(
                [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x08, 0x02],
                [0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] + nonce
            )
        let name = element(
            0x30,
            element(0x31, element(0x30, [6, 3, 0x55, 4, 3] + element(0x0C, Array("leaf".utf8))))
        )
        return element(
            0x30,
            [0xA0, 3, 2, 1, 2, 2, 2, 0x51, 1] + algorithm + issuer
                + element(0x30, time(now - 86_400) + time(now + 2 * 86_400)) + name + key.spkiDER
                + element(0xA3, element(0x30, extensions))
        )
    }

    private static func time(_ seconds: Int64) -> [UInt8] {
        let text = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
        return element(0x17, Array(text.utf8.dropFirst(2).filter { !"-:T".utf8.contains($0) }))
    }
}
