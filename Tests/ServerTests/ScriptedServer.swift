import Encodings
import TestSupport

/// A server that answers the first request of every connection over TLS with the same records, and says no more.
final class ScriptedServer: Sendable {
    /// What comes after the records; in each case the server goes on reading until the client leaves.
    enum End: String, CaseIterable, Sendable {
        case silence
        /// The end of TLS, with TCP left open.
        case notify
        /// The end of TCP in the server's direction, without that of TLS before it.
        case shut
    }

    let url: String
    private let folder: TemporaryFolder
    private let daemon: Daemon

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - records: What each record of TLS holds; all are sent at once.
    ///   - protocolName: What it agrees to by ALPN.
    ///   - end: What comes after them.
    /// - Throws: As `Daemon`.
    init(_ records: [[UInt8]], protocolName: String = "http/1.1", end: End = .silence) async throws {
        folder = try TemporaryFolder()
        let port = Loopback.freePort()
        url = "https://127.0.0.1:\(port)/"
        let authority = try CertificateAuthority.shared.folder
        daemon = try await Daemon(
            "python3",
            ["-B", PackageFolders.root + "/Tests/Peers/scripted_server.py", "\(port)"]
                + [authority["good.pem"], authority["good.key"], protocolName, end.rawValue]
                + records.map(Hex.encode),
            log: folder["log"],
            port: port
        )
    }
}
