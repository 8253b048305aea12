import Cryptography
import Encodings

/// Reads the members of a JSON Web Key; every failure names the member, never its value.
struct KeyText {
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    /// The object in JSON text.
    static func object(_ json: [UInt8]) throws(TokenError) -> JSONObject {
        do throws(DecodingFault) {
            if case .object(let object) = try JSONValue(parsing: json, maximumDepth: 8) { return object }
        } catch {
            let code: TokenError.Code = error.code == .duplicateMember ? .duplicateMember : .invalidKey
            throw TokenError(code, "the text is not JSON", underlying: error)
        }
        throw TokenError(.invalidKey, "the text is not a JSON object")
    }

    func text(_ name: String) throws(TokenError) -> String {
        guard let text = object[name]?.string else {
            throw TokenError(.invalidKey, "the key needs a string \(name)")
        }
        return text
    }

    func textIfPresent(_ name: String) throws(TokenError) -> String? {
        object[name] == nil ? nil : try text(name)
    }

    func textsIfPresent(_ name: String) throws(TokenError) -> [String]? {
        guard let value = object[name] else { return nil }
        var texts: [String] = []
        for element in value.array ?? [] {
            guard let text = element.string else {
                throw TokenError(.invalidKey, "\(name) must hold strings")
            }
            texts.append(text)
        }
        guard !texts.isEmpty else {
            throw TokenError(.invalidKey, "\(name) must be an array that is not empty")
        }
        return texts
    }

    func bytes(_ name: String) throws(TokenError) -> [UInt8] {
        let text = try text(name)
        do throws(DecodingFault) { return try Base64.url.decode(text) } catch {
            throw TokenError(.invalidKey, "\(name) is not base64url", underlying: error)
        }
    }

    func secret(_ name: String) throws(TokenError) -> SecretBytes {
        var bytes = try bytes(name)
        return SecretBytes(moving: &bytes)
    }

    /// A number in as few octets as it needs (Base64urlUInt of RFC 7518, section 2).
    private func number(_ name: String) throws(TokenError) -> [UInt8] {
        let bytes = try bytes(name)
        guard let first = bytes.first, first != 0 else {
            throw TokenError(.invalidKey, "\(name) is not a number without leading zeros")
        }
        return bytes
    }

    private func curve() throws(TokenError) -> KeyType {
        switch try text("crv") {
        case "P-256": return .p256
        case "P-384": return .p384
        case "Ed25519": return .ed25519
        default: throw TokenError(.unsupportedKey, "the curve is not P-256, P-384 or Ed25519")
        }
    }

    /// The point 4, x, y of an EC key.
    private func point(_ curve: KeyType) throws(TokenError) -> [UInt8] {
        guard let width = curve.coordinateLength else {
            throw TokenError(.invalidKey, "the curve does not belong to kty EC")
        }
        let x = try bytes("x")
        let y = try bytes("y")
        guard x.count == width, y.count == width else {
            throw TokenError(.invalidKey, "x and y must be as wide as the curve")
        }
        return [4] + x + y
    }

    private func checkEdwards(_ curve: KeyType) throws(TokenError) {
        guard curve == .ed25519 else { throw TokenError(.invalidKey, "the curve does not belong to kty OKP") }
    }

    func publicKey(_ type: String) throws(TokenError) -> PublicKey {
        do {
            switch type {
            case "RSA": return try PublicKey(modulus: number("n"), exponent: number("e"))
            case "EC":
                let curve = try curve()
                return try PublicKey(x963: point(curve), curve: curve)
            default:
                try checkEdwards(curve())
                return try PublicKey(ed25519: bytes("x"))
            }
        } catch { throw Self.refusal(error) }
    }

    func privateKey(_ type: String) throws(TokenError) -> PrivateKey {
        do {
            switch type {
            case "RSA":
                guard object["oth"] == nil else {
                    throw TokenError(.unsupportedKey, "an RSA key of more than two primes is not supported")
                }
                return try PrivateKey(rsa: rsaNumbers())
            case "EC":
                let curve = try curve()
                return try PrivateKey(scalar: secret("d"), x963: point(curve), curve: curve)
            default:
                try checkEdwards(curve())
                let key = try PrivateKey(ed25519Seed: secret("d"))
                guard try key.publicKey == PublicKey(ed25519: bytes("x")) else {
                    throw TokenError(.invalidKey, "d does not belong to x")
                }
                return key
            }
        } catch { throw Self.refusal(error) }
    }

    private func rsaNumbers() throws(TokenError) -> RSAPrivateNumbers {
        RSAPrivateNumbers(
            modulus: try number("n"),
            publicExponent: try number("e"),
            privateExponent: try secret("d"),
            prime1: try secret("p"),
            prime2: try secret("q"),
            exponent1: try secret("dp"),
            exponent2: try secret("dq"),
            coefficient: try secret("qi")
        )
    }

    private static func refusal(_ error: any Error) -> TokenError {
        if let error = error as? TokenError { return error }
        let code: TokenError.Code =
            switch (error as? CryptographyError)?.code {
            case .weakKey: .weakKey
            case .unsupportedKey: .unsupportedKey
            case .libraryFailure: .cryptographyFailure
            default: .invalidKey
            }
        return TokenError(code, "the key was refused", underlying: error)
    }
}
