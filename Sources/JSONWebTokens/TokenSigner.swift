import Cryptography
import Encodings

/// Makes tokens with one key.
public struct TokenSigner: Sendable {
    /// The key.
    public let key: JSONWebKey
    /// The type that the header states, `typ`; nil for none.
    public let type: String?
    /// The first part of every token with its dot: the header never changes.
    private let start: [UInt8]

    /// Makes a signer.
    ///
    /// - Parameters:
    ///   - key: A private key or a secret. Its `kid` goes into the header.
    ///   - type: The header's `typ` (RFC 7519, section 5.1; RFC 8725, section 3.11).
    /// - Throws: ``TokenError`` with code `wrongKeyUse` for a public key or a key whose `key_ops` has no `sign`.
    public init(key: JSONWebKey, type: String? = "JWT") throws(TokenError) {
        guard key.operations.contains(.sign) else {
            throw TokenError(.wrongKeyUse, "the key is not for signing")
        }
        self.key = key
        self.type = type
        var header = JSONObject()
        header["alg"] = .string(key.algorithm.rawValue)
        if let keyID = key.keyID { header["kid"] = .string(keyID) }
        if let type { header["typ"] = .string(type) }
        start = Base64.url.encodeToBytes(header.serialized()) + [UInt8(ascii: ".")]
    }

    /// Makes a token.
    ///
    /// - Returns: The compact serialization of RFC 7515, section 7.1.
    /// - Throws: ``TokenError`` with code `invalidClaims` when a registered claim has the wrong type, or
    ///   `cryptographyFailure`.
    public func sign(_ claims: TokenClaims) throws(TokenError) -> String {
        try claims.check()
        return try sign(payload: claims.members.serialized())
    }

    /// Signs octets of any kind (JWS of RFC 7515).
    ///
    /// - Throws: ``TokenError`` with code `cryptographyFailure`.
    public func sign(payload: [UInt8]) throws(TokenError) -> String {
        var text = start
        text += Base64.url.encodeToBytes(payload)
        let signature = try signature(of: text)
        text.append(UInt8(ascii: "."))
        text += Base64.url.encodeToBytes(signature)
        return String(decoding: text, as: UTF8.self)
    }

    private func signature(of text: [UInt8]) throws(TokenError) -> [UInt8] {
        do throws(CryptographyError) {
            switch key.material {
            case .secret(_, let mac): return try mac.authenticationCode(for: text)
            case .privateKey(let key, let algorithm): return try key.sign(text, using: algorithm)
            case .publicKey: throw CryptographyError(.invalidKey, "a public key does not sign")
            }
        } catch { throw TokenError(.cryptographyFailure, "the token cannot be signed", underlying: error) }
    }
}
