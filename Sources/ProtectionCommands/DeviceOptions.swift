import Cryptography

/// Reaches the device that keeps a key, by what the command line says of it.
struct DeviceOptions {
    /// The name of the provider, or nil for a key in a file of its own.
    let provider: String?
    private let invocation: Invocation

    /// Takes the options `provider`, `provider-config` and `passphrase-file` from a command line.
    init(_ invocation: Invocation) throws(ToolError) {
        self.invocation = invocation
        provider = invocation.arguments["provider"]
        guard provider == nil else { return }
        for name in ["passphrase-file", "provider-config"] where invocation.arguments.has(name) {
            throw invocation.usage("--\(name) goes with --provider")
        }
    }

    /// Loads the provider.
    func open(_ name: String) throws -> KeyProvider {
        try KeyProvider(named: name, configurationFile: invocation.arguments["provider-config"])
    }

    /// Takes a key of the device by its URI.
    func key(at uri: String, _ provider: String) throws -> PrivateKey {
        // RFC 7512, section 2.4.
        guard !uri.contains("pin-value") else {
            throw ToolError(
                .secretOnCommandLine,
                "a PIN stands on the command line, where all users of this machine can read it: use --passphrase-file"
            )
        }
        let passphrase = try passphrase()
        return try PrivateKey(storeURI: uri, provider: open(provider), passphrase: passphrase)
    }

    /// Takes a key of the device by the file that only the device can read.
    func key(inFile path: String, _ provider: String) throws -> PrivateKey {
        let octets = try invocation.files.read(path, "the key file", limit: 64 << 10, trust: .secret)
        guard let text = String(validating: octets, as: UTF8.self) else {
            throw ToolError(.notText, "the key file is not text in UTF-8")
        }
        let passphrase = try passphrase()
        return try PrivateKey(pem: text, provider: open(provider), passphrase: passphrase)
    }

    /// Reads the passphrase, without the line break at its end.
    func passphrase() throws -> SecretBytes? {
        guard let path = invocation.arguments["passphrase-file"] else { return nil }
        var octets = try invocation.files.read(path, "the passphrase", limit: 1 << 10, trust: .secret)
        if octets.last == UInt8(ascii: "\n") { octets.removeLast() }
        if octets.last == UInt8(ascii: "\r") { octets.removeLast() }
        return SecretBytes(moving: &octets)
    }
}

extension CommandOption {
    static let passphraseFile = file(
        "passphrase-file",
        "the file with the passphrase or PIN of the key, or -"
    )

    static let providerConfiguration = file(
        "provider-config",
        "a configuration of OpenSSL for the provider"
    )

    static func provider(_ names: [String], _ summary: String) -> CommandOption {
        value("provider", "NAME", summary, kind: .choice(names))
    }
}
