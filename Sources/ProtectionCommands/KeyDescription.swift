import Cryptography
import Encodings
import JSONWebTokens

/// What can be told of a public key, in the forms in which others ask for it.
struct KeyDescription {
    private let key: PublicKey
    /// The provider that keeps the private half, if one does.
    private let provider: String?
    private let thumbprint: String
    private let pin: String

    init(_ key: JSONWebKey, provider: String? = nil) throws {
        guard let publicKey = key.publicKey else {
            throw ToolError(.unknownKeyForm, "the key is a secret, which has no public half")
        }
        self.key = publicKey
        self.provider = provider
        thumbprint = try key.thumbprint()
        pin = Base64.standard.encode(try publicKey.spkiSHA256())
    }

    private var type: String {
        switch key.keyType {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        case .ed25519: "Ed25519"
        case .ed448: "Ed448"
        case .rsa(let bits): "RSA-\(bits)"
        case .rsaPSS(let bits, _): "RSA-PSS-\(bits)"
        }
    }

    /// The SubjectPublicKeyInfo in Base 64, as the claim `ipk` of an installation holds it.
    private var installationKey: String { Base64.standard.encode(key.spkiDER) }

    /// The public key in PEM, without the line break at its end.
    var pem: String { String(key.pem.dropLast()) }

    /// The rows for people, and under them the PEM if it is asked for.
    func text(_ style: TextStyle, withPEM: Bool) -> String {
        var rows = [("type", type)]
        if let provider { rows.append(("provider", provider)) }
        rows += [("spki-sha256", pin), ("thumbprint", thumbprint), ("ipk", installationKey)]
        var text = rows.map { name, value in
            style.bold(name) + String(repeating: " ", count: 13 - name.count) + value
        }.joined(separator: "\n")
        if withPEM { text += "\n" + pem }
        return text
    }

    var json: JSONValue {
        var members = JSONObject()
        members["type"] = .string(type)
        if let provider { members["provider"] = .string(provider) }
        members["spkiSHA256"] = .string(pin)
        members["thumbprint"] = .string(thumbprint)
        members["ipk"] = .string(installationKey)
        members["pem"] = .string(key.pem)
        return .object(members)
    }
}
