import Cryptography
import JSONWebTokens

extension Command {
    static let keysShow = Command(
        ["keys", "show"],
        "show the public half of a key",
        discussion: [
            "The key comes from a file (PEM, a certificate or a JSON Web Key; the key file of a TPM with --provider tpm2), "
                + "or from a device by its URI: handle:0x81000001 for a TPM, pkcs11:token=...;object=... for a token.",
            "spki-sha256 is what pins compare, ipk is the claim of an installation, thumbprint is that of RFC 7638.",
        ],
        options: [
            .value("store-uri", "URI", "the key in a device"),
            .provider(["tpm2", "pkcs11"], "the provider of OpenSSL for the device"),
            .providerConfiguration, .passphraseFile, .algorithm,
            .flag("pem", "write the public key in PEM and nothing else"),
        ],
        operands: [
            .init(
                name: "FILE",
                kind: .file,
                summary: "the file with the key, or - for standard input",
                isOptional: true
            )
        ],
        examples: [
            .init(purpose: "Show a key", line: "protection keys show private.pem"),
            .init(
                purpose: "Keep the public half in a file, for 'config make --key'",
                line: "protection keys show --pem private.pem > public.pem"
            ),
            .init(purpose: "Show it as JSON", line: "protection keys show --json - < public.pem"),
        ],
        run: KeysShow.run
    )
}

/// `keys show`.
enum KeysShow {
    static func run(_ invocation: Invocation) async throws {
        try invocation.arguments.exclude("pem", "json")
        let device = try DeviceOptions(invocation)
        let key = try key(invocation, device)
        let shown = try KeyDescription(key, provider: device.provider)
        guard !invocation.arguments.has("pem") else { return try invocation.console.write(shown.pem) }
        guard invocation.console.isJSON else {
            return try invocation.console.write(shown.text(invocation.console.style, withPEM: true))
        }
        try invocation.console.write(shown.json)
    }

    private static func key(_ invocation: Invocation, _ device: DeviceOptions) throws -> JSONWebKey {
        let path = invocation.arguments.operands.first
        let uri = invocation.arguments["store-uri"]
        guard (path == nil) != (uri == nil) else {
            throw invocation.usage("the key is either in a FILE or at a --store-uri")
        }
        if let uri {
            guard let name = device.provider else { throw invocation.usage("--store-uri needs --provider") }
            return try JSONWebKey(device.key(at: uri, name))
        }
        guard let path, let name = device.provider else {
            return try KeyFile(invocation).verifyingKey(path ?? "-")
        }
        return try JSONWebKey(device.key(inFile: path, name))
    }
}
