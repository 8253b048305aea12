import Cryptography
import Encodings
import JSONWebTokens

/// The code of the error that a call throws; nil when it throws none, or one of another type.
func code<Value>(_ body: () throws -> Value) -> TokenError.Code? {
    do {
        _ = try body()
        return nil
    } catch { return (error as? TokenError)?.code }
}

/// Keys made once for the whole run.
enum TestKeys {
    static let secret = SecretBytes(Array(repeating: 0x5A, count: 64))

    /// A signing key for every algorithm.
    static let all: [JSONWebKey] = {
        let rsa = try? PrivateKey.generate(.rsa(bits: 2048))
        return TokenAlgorithm.allCases.compactMap { algorithm in
            switch algorithm {
            case .hs256, .hs384, .hs512:
                try? JSONWebKey(secret, algorithm: algorithm, keyID: algorithm.rawValue)
            case .es256: try? JSONWebKey(PrivateKey.generate(.p256), keyID: algorithm.rawValue)
            case .es384: try? JSONWebKey(PrivateKey.generate(.p384), keyID: algorithm.rawValue)
            case .edDSA: try? JSONWebKey(PrivateKey.generate(.ed25519), keyID: algorithm.rawValue)
            default: rsa.flatMap { try? JSONWebKey($0, algorithm: algorithm, keyID: algorithm.rawValue) }
            }
        }
    }()

    static func key(_ algorithm: TokenAlgorithm) throws -> JSONWebKey {
        guard let key = all.first(where: { $0.algorithm == algorithm }) else {
            throw TokenError(.unknownKey, "no test key")
        }
        return key
    }
}

/// A compact JWS of any header and payload under a key, to make what a signer would not.
func forge(_ header: String, _ payload: String, _ key: JSONWebKey) throws -> String {
    let signed = Base64.url.encode(header.utf8) + "." + Base64.url.encode(payload.utf8)
    guard key.isSecret else { return signed + "." }
    let hash = key.algorithm.secretHash ?? .sha256
    let code = try HMACKey(TestKeys.secret, hash).authenticationCode(for: Array(signed.utf8))
    return signed + "." + Base64.url.encode(code)
}
