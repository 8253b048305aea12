import Cryptography
import FoundationEssentials
import Glibc
import HTTPTransport
import TestSupport
import Testing

/// nginx on a free port of this machine, which asks clients for a certificate and says whose it saw.
///
/// The authority of both sides is made anew each time. No TLS session is resumed, so each connection has a signature of its
/// own.
final class CertificateServer: Sendable {
    static let isPresent = unsafe access(program, X_OK) == 0
    private static let program = "/usr/sbin/nginx"

    let url: String
    private let folder: String
    private let root: Certificate
    private let rootKey: PrivateKey
    private let daemon: Daemon

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - folder: A folder for its files.
    ///   - settings: Lines of its configuration.
    /// - Throws: As `Daemon`, or when its files cannot be made.
    init(in folder: String, _ settings: String) async throws {
        rootKey = try PrivateKey.generate(.p256)
        root = try Self.builder("root", .authority(pathLength: 0)).selfSigned(with: rootKey)
        let key = try PrivateKey.generate(.p256)
        var builder = Self.builder("server", .server)
        builder.ipAddresses = ["127.0.0.1"]
        let certificate = try builder.issued(for: key.publicKey, by: root, key: rootKey)
        let port = Loopback.freePort()
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: "\n  ")
        let configuration = """
            master_process off;
            pid \(folder)/nginx.pid;
            events { worker_connections 256; }
            http {
              \(paths)
              log_format line '$connection $ssl_session_reused $ssl_client_s_dn';
              access_log \(folder)/access line;
              server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(folder)/server.pem;
                ssl_certificate_key \(folder)/server.key;
                ssl_client_certificate \(folder)/root.pem;
                ssl_verify_client on;
                ssl_session_cache off;
                ssl_session_tickets off;
                \(settings)
                location / { default_type text/plain; return 200 "$ssl_client_s_dn over $ssl_protocol"; }
              }
            }
            """
        for (name, text) in [
            ("root.pem", root.pem), ("server.pem", certificate.pem), ("server.key", try key.pkcs8PEM()),
            ("nginx.conf", configuration),
        ] { try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
        self.folder = folder
        url = "https://127.0.0.1:\(port)/"
        daemon = try await Daemon(
            Self.program,
            ["-p", folder, "-e", "stderr", "-c", folder + "/nginx.conf", "-g", "daemon off;"],
            log: folder + "/nginx.log",
            port: port
        )
    }

    private static func builder(_ name: String, _ role: CertificateBuilder.Role) -> CertificateBuilder {
        CertificateBuilder(commonName: name, role: role, notBefore: 1_700_000_000, notAfter: 4_000_000_000)
    }

    /// A certificate of the authority for a client's key.
    func certificate(_ name: String, _ key: PublicKey) throws -> Certificate {
        try Self.builder(name, .client).issued(for: key, by: root, key: rootKey)
    }

    /// A session that shows a certificate of the authority.
    func session(_ name: String, _ key: PrivateKey, allowsHTTP2: Bool = true) throws -> CurlSession {
        var configuration = CurlSession.Configuration(trustRoots: .pem(Array(root.pem.utf8)))
        configuration.timeout = .seconds(30)
        configuration.allowsHTTP2 = allowsHTTP2
        configuration.clientIdentity = try ClientIdentity(
            chain: [certificate(name, key.publicKey)],
            key: key
        )
        return try CurlSession(configuration: configuration)
    }

    /// The connection, whether it resumed a session, and the client of each request that was answered.
    func requests() throws -> [(connection: String, isResumed: Bool, client: String)] {
        try TextFile.read(folder + "/access").split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ").map(String.init)
            return parts.count == 3 ? (parts[0], parts[1] != ".", parts[2]) : nil
        }
    }
}
