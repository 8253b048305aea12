import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A TPM 2.0 in a process of its own, with nothing in it, ended and removed with this object.
///
/// One at a time: it serves one connection, and its address is in a variable of the environment, which is set once for
/// the life of the process, before any provider is loaded. The suite that uses it runs its tests one after the other.
final class SoftwareTPM: Sendable {
    /// Why there can be none here, or nil.
    static let absence: String? = {
        let tools = ["swtpm", "tpm2_createprimary", "openssl"].filter { tool in
            !["/bin/", "/usr/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + tool) }
        }
        guard tools.isEmpty else { return "not installed: \(tools.joined(separator: ", "))" }
        // The one folder of the process: a socket's path must be short.
        return unsafe setenv("TPM2OPENSSL_TCTI", address, 1) == 0 && setenv("TSS2_LOG", "all+NONE", 1) == 0
            ? nil : "the environment cannot be changed"
    }()

    private static let socket = "/tmp/swtpm-\(getpid()).sock"
    static let address = "swtpm:path=\(socket)"

    /// A folder for its state and a test's files.
    let folder: TemporaryFolder
    private let process: pid_t

    init() async throws {
        try #require(Self.absence == nil)
        folder = try TemporaryFolder()
        let started = try await Command.run(
            "swtpm",
            [
                "socket", "--tpm2", "--tpmstate", "dir=\(folder.path)", "--server",
                "type=unixio,path=\(Self.socket)",
            ]
                + [
                    "--ctrl", "type=unixio,path=\(Self.socket).ctrl", "--flags",
                    "not-need-init,startup-clear",
                ]
                + ["--daemon", "--pid", "file=\(folder["pid"])"]
        )
        try #require(started.status == 0, "\(started.output)")
        let text = try folder.text("pid")
        process = try #require(pid_t(text.prefix { $0.isNumber }))
    }

    deinit { stop() }

    /// Pulls the plug: the TPM gets no time to remove its sockets, which could be the next one's by then.
    func stop() {
        kill(process, SIGKILL)
        for path in [Self.socket, Self.socket + ".ctrl"] { unsafe unlink(path) }
    }

    /// Runs a line of the shell in the folder.
    ///
    /// The TPM's tools find this TPM. No provider may be connected meanwhile.
    @discardableResult
    func shell(_ line: String) async throws -> String {
        let command = "set -e; cd \(folder.path); export TPM2TOOLS_TCTI=\(Self.address); \(line)"
        let result = try await Command.run("sh", ["-c", command])
        try #require(result.status == 0, "\(result.output)")
        return result.output
    }

    /// Makes a signing key with the TPM's own tools, and keeps it in its lasting memory.
    func makeLastingKey(
        _ handle: String,
        passphrase: String? = nil,
        scheme: String = "ecc256:ecdsa-sha256",
        attributes: String = "sign"
    ) async throws {
        try await shell(
            """
            tpm2_createprimary -Q -C o -G ecc256 -c p.ctx; tpm2_flushcontext -t
            tpm2_create -Q -C p.ctx -G \(scheme) -u u -r r \(passphrase.map { "-p \($0)" } ?? "") \
                -a 'fixedtpm|fixedparent|sensitivedataorigin|userwithauth|\(attributes)'; tpm2_flushcontext -t
            tpm2_load -Q -C p.ctx -u u -r r -c l.ctx; tpm2_evictcontrol -Q -C o -c l.ctx \(handle); tpm2_flushcontext -t
            """
        )
    }

    /// Whether the `openssl` program, which knows nothing of this TPM, takes a signature in DER.
    func isValid(_ signature: [UInt8], for message: [UInt8], key: String) async throws -> Bool {
        let (signature, message) = (try folder.write("sig", signature), try folder.write("msg", message))
        let key = try folder.write("pub.pem", key)
        return try await Command.run(
            "openssl",
            ["dgst", "-sha256", "-verify", key, "-signature", signature, message]
        ).status == 0
    }
}
