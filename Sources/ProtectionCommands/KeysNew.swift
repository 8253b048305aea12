import Cryptography
import InstallationKeys
import JSONWebTokens

extension Command {
    static let keysNew = Command(
        ["keys", "new"],
        "make the key of an installation",
        discussion: [
            "The private key goes into a new file, which nobody else can read: P-256 in PEM. A file that is there already "
                + "is never overwritten. What is shown is the public half, which an authority enrols.",
            "An empty file FILE.lock stays beside it: it keeps two commands from making one key at the same time.",
            "With --provider tpm2 the key is made in the machine's TPM and the file is of use with that TPM only; "
                + "TPM2OPENSSL_TCTI names another TPM than /dev/tpmrm0.",
        ],
        options: [
            .provider(["tpm2"], "make the key in a device, with this provider of OpenSSL"),
            .passphraseFile,
        ],
        operands: [.init(name: "FILE", kind: .file, summary: "the file to make")],
        examples: [
            .init(purpose: "Make a key", line: "protection keys new installation.pem"),
            .init(
                purpose: "Keep what the authority wants to know, for a script",
                line: "protection keys new --json installation.pem > enrolment.json"
            ),
        ],
        run: KeysNew.run
    )
}

/// `keys new`.
enum KeysNew {
    static func run(_ invocation: Invocation) async throws {
        let path = invocation.arguments.operands[0]
        guard path != "-" else {
            throw invocation.usage(
                "a private key is not written to standard output: FILE is the path of a file"
            )
        }
        let device = try DeviceOptions(invocation)
        let key = try make(path, device)
        let shown = try KeyDescription(JSONWebKey(key), provider: device.provider)
        guard invocation.console.isJSON else {
            return try invocation.console.write(shown.text(invocation.console.style, withPEM: false))
        }
        try invocation.console.write(shown.json)
    }

    private static func make(_ path: String, _ device: DeviceOptions) throws -> PrivateKey {
        let file =
            try device.provider.map { name in
                let passphrase = try device.passphrase()
                return InstallationKeyFile(
                    path: path,
                    provider: try device.open(name),
                    passphrase: passphrase
                )
            } ?? InstallationKeyFile(path: path)
        do throws(InstallationKeyError) { return try file.create() } catch {
            guard error.code == .alreadyExists else { throw error }
            let name = path.escapingControls.quotedForShell
            throw ToolError(ToolError(error).code, "\(name) exists already and is not overwritten")
        }
    }
}
