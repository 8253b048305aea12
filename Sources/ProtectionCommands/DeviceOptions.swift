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

    static func provider(_ names: [String], _ summary: String) -> CommandOption {
        value("provider", "NAME", summary, kind: .choice(names))
    }
}
