import Cryptography

/// Keys made once for the whole run; a test that needs a key of its own makes it.
enum TestKeys {
    static let all: [PrivateKey] = {
        let types: [KeyType] = [.p256, .p384, .p521, .ed25519, .ed448, .rsa(bits: 2048)]
        return types.compactMap { try? PrivateKey.generate($0) }
    }()

    /// Every algorithm with the key that fits it.
    static let pairs: [(SignatureAlgorithm, PrivateKey)] = SignatureAlgorithm.allCases.compactMap {
        algorithm in
        all.first { algorithm.fits($0.keyType) }.map { (algorithm, $0) }
    }

    static let message = Array("the message".utf8)

    static func key(_ type: KeyType) throws -> PrivateKey {
        guard let key = all.first(where: { $0.keyType == type }) else { return try PrivateKey.generate(type) }
        return key
    }
}
