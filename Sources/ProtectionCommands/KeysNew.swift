import Cryptography
import FileStorage
import InstallationKeys
import JSONWebTokens

extension Command {
    static let keysNew = Command(
        ["keys", "new"],
        "make the key of an installation",
        discussion: [
            "The private key goes into a new file, which nobody else can read: P-256 in PEM. A file that is there already "
                + "is never overwritten. What is shown is the public half, which an authority enrols.",
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
        let device = try DeviceOptions(invocation)
        let key: PrivateKey
        if let name = device.provider {
            let passphrase = try device.passphrase()
            let made = try device.open(name).generateKey(passphrase: passphrase)
            try PrivateFile(path: path).create(Array(made.pem.utf8))
            key = made.privateKey
        } else {
            key = try InstallationKeyFile(path: path).create()
        }
        let shown = try KeyDescription(JSONWebKey(key), provider: device.provider)
        guard invocation.console.isJSON else {
            return try invocation.console.write(shown.text(invocation.console.style, withPEM: false))
        }
        try invocation.console.write(shown.json)
    }
}
