import Encodings
import TestSupport

/// A server that answers the first request of every connection over TLS with the same records, and then is silent.
final class ScriptedServer: Sendable {
    let url: String
    private let folder: TemporaryFolder
    private let daemon: Daemon

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - records: What each record of TLS holds; all are sent at once.
    ///   - protocolName: What it agrees to by ALPN.
    /// - Throws: As `Daemon`.
    init(_ records: [[UInt8]], protocolName: String = "http/1.1") async throws {
        folder = try TemporaryFolder()
        let port = Loopback.freePort()
        url = "https://127.0.0.1:\(port)/"
        let authority = try CertificateAuthority.shared.folder
        daemon = try await Daemon(
            "python3",
            ["-B", PackageFolders.root + "/Tests/Peers/scripted_server.py", "\(port)"]
                + [authority["good.pem"], authority["good.key"], protocolName]
                + records.map(Hex.encode),
            log: folder["log"],
            port: port
        )
    }
}
