import Cryptography
public import Encodings

extension JSONWebKey {
    /// The public half as a JSON object, with `kid`, `alg` and `use`.
    ///
    /// - Throws: ``TokenError`` with code `wrongKeyUse` for a secret, which has no public half.
    public func publicObject() throws(TokenError) -> JSONObject {
        guard let publicKey else { throw TokenError(.wrongKeyUse, "a secret has no public form") }
        return labelled(Self.required(publicKey))
    }

    /// The whole key as a JSON object, secret numbers included: for storage, never for publication.
    ///
    /// A String cannot be cleared from memory, and this form is made of them.
    ///
    /// - Throws: ``TokenError`` with code `wrongKeyUse` for a public key, or `cryptographyFailure`.
    public func privateObject() throws(TokenError) -> JSONObject {
        switch material {
        case .publicKey: throw TokenError(.wrongKeyUse, "a public key has no private form")
        case .secret(let secret, _): return labelled(["kty": "oct", "k": Self.text(secret)])
        case .privateKey(let key, _):
            var members = Self.required(key.publicKey)
            do throws(CryptographyError) {
                if let numbers = try key.rsaNumbers() {
                    members["d"] = Self.text(numbers.privateExponent)
                    members["p"] = Self.text(numbers.prime1)
                    members["q"] = Self.text(numbers.prime2)
                    members["dp"] = Self.text(numbers.exponent1)
                    members["dq"] = Self.text(numbers.exponent2)
                    members["qi"] = Self.text(numbers.coefficient)
                } else if let secret = try Self.secret(of: key) {
                    members["d"] = Self.text(secret)
                }
            } catch {
                throw TokenError(.cryptographyFailure, "the key cannot be read out", underlying: error)
            }
            return labelled(members)
        }
    }

    /// The SHA-256 thumbprint of RFC 7638 in base64url, a name that anyone can compute from the public key.
    ///
    /// - Throws: ``TokenError`` with code `wrongKeyUse` for a secret (its thumbprint would help to guess it), or
    ///   `cryptographyFailure`.
    public func thumbprint() throws(TokenError) -> String {
        guard let publicKey else {
            throw TokenError(.wrongKeyUse, "the thumbprint of a secret is not for names")
        }
        do throws(CryptographyError) {
            return Base64.url.encode(try HashAlgorithm.sha256.hash(Self.required(publicKey).serialized()))
        } catch { throw TokenError(.cryptographyFailure, "the thumbprint cannot be made", underlying: error) }
    }

    /// The members that make the key what it is, in the order of their names, as RFC 7638, section 3 wants them.
    private static func required(_ key: PublicKey) -> JSONObject {
        var members = JSONObject()
        if let modulus = key.rsaModulus, let exponent = key.rsaExponent {
            members["e"] = .string(Base64.url.encode(exponent))
            members["kty"] = "RSA"
            members["n"] = .string(Base64.url.encode(modulus))
        } else if let point = key.x963 {
            let width = point.count / 2
            members["crv"] = key.keyType == .p256 ? "P-256" : "P-384"
            members["kty"] = "EC"
            members["x"] = .string(Base64.url.encode(point[1...width]))
            members["y"] = .string(Base64.url.encode(point[(width + 1)...]))
        } else if let raw = key.rawRepresentation {
            members["crv"] = "Ed25519"
            members["kty"] = "OKP"
            members["x"] = .string(Base64.url.encode(raw))
        }
        return members
    }

    /// The one secret of a key that is not RSA.
    private static func secret(of key: PrivateKey) throws(CryptographyError) -> SecretBytes? {
        if let scalar = try key.scalar() { return scalar }
        return try key.ed25519Seed()
    }

    private func labelled(_ members: JSONObject) -> JSONObject {
        var members = members
        if let keyID { members["kid"] = .string(keyID) }
        members["alg"] = .string(algorithm.rawValue)
        members["use"] = "sig"
        return members
    }

    private func labelled(_ value: JSONValue) -> JSONObject { labelled(value.object ?? JSONObject()) }

    private static func text(_ secret: SecretBytes) -> JSONValue {
        secret.withBytes { span in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(span.count)
            for offset in 0..<span.count { bytes.append(span[offset]) }
            let text = Base64.url.encode(bytes)
            _ = SecretBytes(moving: &bytes)
            return .string(text)
        }
    }
}
