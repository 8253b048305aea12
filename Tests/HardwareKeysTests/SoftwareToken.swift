import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A token of SoftHSM with one key, and the configuration that leads OpenSSL's provider to it.
final class SoftwareToken: Sendable {
    private let folder: String
    let configuration: String

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)").path
        configuration = folder + "/openssl.cnf"
        try #require(unsafe mkdir(folder, 0o700) == 0 && mkdir(folder + "/tokens", 0o700) == 0)
        let module = "/usr/lib/softhsm/libsofthsm2.so"
        try Data("directories.tokendir = \(folder)/tokens\n".utf8).write(to: URL(filePath: folder + "/conf"))
        try Data(
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

            """.utf8
        ).write(to: URL(filePath: configuration))
        // The module reads the variable when it is loaded.
        try #require(unsafe setenv("SOFTHSM2_CONF", folder + "/conf", 1) == 0)
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

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
