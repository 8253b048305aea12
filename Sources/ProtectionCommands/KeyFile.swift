import Cryptography
import Encodings
import JSONWebTokens

/// Reads keys from files in the forms that people have them in.
struct KeyFile {
    private static let maximumSize = 64 << 10
    static let secretFormats = ["raw", "base64", "base64url", "hex"]

    let files: InputFiles
    var algorithm: TokenAlgorithm?
    var keyID: String?
    /// The encoding of a file that is a secret and nothing else.
    var secretFormat: String?

    /// Takes the options `alg`, `kid` and `secret-format` from a command line.
    init(_ invocation: Invocation) throws(ToolError) {
        self.init(invocation, algorithm: nil)
        guard let name = invocation.arguments["alg"] else { return }
        guard let algorithm = TokenAlgorithm(name: name) else {
            throw invocation.usage("--alg takes one of \(Self.algorithmNames.joined(separator: ", "))")
        }
        self.algorithm = algorithm
    }

    /// Takes the options `kid` and `secret-format`, where a command has other names for algorithms.
    init(_ invocation: Invocation, algorithm: TokenAlgorithm?) {
        files = invocation.files
        self.algorithm = algorithm
        keyID = invocation.arguments["kid"]
        secretFormat = invocation.arguments["secret-format"]
    }

    static var algorithmNames: [String] { TokenAlgorithm.allCases.map(\.rawValue) }

    /// Reads a private key or a secret.
    func signingKey(_ path: String) throws -> JSONWebKey {
        let key = try key(path, trust: .secret)
        if key.isSecret { return key }
        guard (try? TokenSigner(key: key)) != nil else {
            throw ToolError(
                .publicKeyGiven,
                "the key is a public one or not for signing; signing needs a private key"
            )
        }
        return key
    }

    /// Reads a public key, or a secret that both sides hold; of a private key only the public half is used.
    func verifyingKey(_ path: String) throws -> JSONWebKey {
        try key(path, trust: secretFormat == nil ? .secret(if: Self.holdsSecret) : .secret)
    }

    /// Reads a set of keys.
    func keySet(_ path: String) throws -> JSONWebKeySet {
        let octets = try files.read(path, "the key set", limit: 1 << 20, trust: .secret(if: Self.holdsSecret))
        return try JSONWebKeySet(parsing: octets, algorithm: algorithm)
    }

    /// Reads a public key and nothing more.
    func publicKey(_ path: String) throws -> JSONWebKey {
        var octets = try files.read(path, "the key file", limit: Self.maximumSize, trust: .readableByOthers)
        guard !Self.holdsSecret(octets) else {
            _ = SecretBytes(moving: &octets)
            throw ToolError(
                .privateKeyGiven,
                "the file holds a private key or a secret, and the configuration goes to every installation: "
                    + "give the public half, for example of 'openssl pkey -in key.pem -pubout'"
            )
        }
        return try parse(octets)
    }

    private func key(_ path: String, trust: InputFiles.Trust) throws -> JSONWebKey {
        var octets = try files.read(path, "the key file", limit: Self.maximumSize, trust: trust)
        guard let secretFormat else { return try parse(octets) }
        guard let algorithm else {
            throw ToolError(.usage, "a secret needs --alg, with an algorithm for secrets")
        }
        return try JSONWebKey(
            try Self.secret(&octets, secretFormat),
            algorithm: algorithm,
            keyID: keyID
        )
    }

    private func parse(_ octets: [UInt8]) throws -> JSONWebKey {
        if Self.startsObject(octets) {
            guard var members = try JSONValue(parsing: octets).object else {
                throw ToolError(.unknownKeyForm, "the key file holds JSON that is not an object")
            }
            if let keyID { members["kid"] = .string(keyID) }
            return try JSONWebKey(members, algorithm: algorithm)
        }
        guard let text = String(validating: octets, as: UTF8.self), text.hasPrefix("-----BEGIN ") else {
            throw ToolError(
                .unknownKeyForm,
                "the key file holds neither PEM nor a JSON Web Key; a bare secret needs --secret-format"
            )
        }
        if text.hasPrefix("-----BEGIN CERTIFICATE-----") {
            return try JSONWebKey(Certificate(pem: text).publicKey, algorithm: algorithm, keyID: keyID)
        }
        if text.hasPrefix("-----BEGIN PUBLIC KEY-----") || text.hasPrefix("-----BEGIN RSA PUBLIC KEY-----") {
            return try JSONWebKey(PublicKey(pem: text), algorithm: algorithm, keyID: keyID)
        }
        return try JSONWebKey(PrivateKey(pem: text), algorithm: algorithm, keyID: keyID)
    }

    /// Whether a key file holds more than a public key, as far as its form tells.
    private static func holdsSecret(_ octets: [UInt8]) -> Bool {
        guard startsObject(octets) else {
            return String(decoding: octets, as: UTF8.self).contains("PRIVATE KEY-----")
        }
        let object = try? JSONValue(parsing: octets).object
        let keys = [object] + (object?["keys"]?.array ?? []).map(\.object)
        return keys.contains { $0?["d"] != nil || $0?["k"] != nil }
    }

    private static func startsObject(_ octets: [UInt8]) -> Bool {
        octets.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    }

    /// A secret of its file; but for `raw` a line break at the end does not belong to it.
    private static func secret(_ octets: inout [UInt8], _ format: String) throws -> SecretBytes {
        guard format != "raw" else { return SecretBytes(moving: &octets) }
        if octets.last == UInt8(ascii: "\n") { octets.removeLast() }
        if octets.last == UInt8(ascii: "\r") { octets.removeLast() }
        var decoded: [UInt8]
        switch format {
        case "base64": decoded = try Base64.standard.decode(octets)
        case "base64url": decoded = try Base64.url.decode(octets)
        default: decoded = try Hex.decode(String(decoding: octets, as: UTF8.self))
        }
        _ = SecretBytes(moving: &octets)
        return SecretBytes(moving: &decoded)
    }
}

extension CommandOption {
    static let algorithm = value(
        "alg",
        "ALG",
        "the algorithm, where the key leaves a choice",
        kind: .choice(KeyFile.algorithmNames)
    )
    static let keyID = value("kid", "ID", "the name of the key")
    static let secretFormat = value(
        "secret-format",
        "FORMAT",
        "the key file is a bare secret in this form",
        kind: .choice(KeyFile.secretFormats)
    )
}
