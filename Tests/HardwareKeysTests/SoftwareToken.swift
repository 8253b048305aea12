import Glibc
import TestSupport
import Testing

/// A token of SoftHSM with one key, and the configuration that leads OpenSSL's provider to it.
final class SoftwareToken: Sendable {
    private let folder: TemporaryFolder
    let configuration: String

    init() async throws {
        folder = try TemporaryFolder()
        try #require(unsafe mkdir(folder["tokens"], 0o700) == 0)
        let module = "/usr/lib/softhsm/libsofthsm2.so"
        try folder.write("conf", "directories.tokendir = \(folder["tokens"])\n")
        configuration = try folder.write(
            "openssl.cnf",
            """
            openssl_conf = conf
            [conf]
            providers = providers
            [providers]
            pkcs11 = token
            default = default
            [default]
            activate = 1
            [token]
            pkcs11-module-path = \(module)
            activate = 1

            """
        )
        // The module reads the variable when it is loaded.
        try #require(unsafe setenv("SOFTHSM2_CONF", folder["conf"], 1) == 0)
        let made = try await Command.run(
            "sh",
            [
                "-c",
                """
                set -e
                softhsm2-util --init-token --free --label attest --so-pin 1234 --pin 5678
                pkcs11-tool --module \(module) --token-label attest --login --pin 5678 --keypairgen \
                    --key-type EC:prime256v1 --id 01 --label devkey
                """,
            ]
        )
        try #require(made.status == 0, "\(made.output)")
    }
}
