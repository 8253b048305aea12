import Cryptography
import HTTPTransport
import TestSupport
import Testing

/// nginx on a free port of this machine, which asks clients for a certificate and says whose it saw.
///
/// No TLS session is resumed, so each connection has a signature of its own.
final class CertificateServer: Sendable {
    let url: String
    private let authority: CertificateAuthority
    private let daemon: NginxDaemon

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - folder: A folder for its files.
    ///   - settings: Lines of its configuration.
    /// - Throws: As `NginxDaemon` and `CertificateAuthority`.
    init(in folder: TemporaryFolder, _ settings: String) async throws {
        let authority = try CertificateAuthority.shared
        let port = Loopback.freePort()
        self.authority = authority
        url = "https://127.0.0.1:\(port)/"
        daemon = try await NginxDaemon(
            in: folder,
            port: port,
            logging: ["connection", "ssl_session_reused", "ssl_client_s_dn"],
            servers: """
                  server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate \(authority.folder["good.pem"]);
                    ssl_certificate_key \(authority.folder["good.key"]);
                    ssl_client_certificate \(authority.folder["root.pem"]);
                    ssl_verify_client on;
                    ssl_session_cache off;
                    ssl_session_tickets off;
                    \(settings)
                    location / { return 200 "$ssl_client_s_dn over $ssl_protocol"; }
                  }
                """
        )
    }

    /// A certificate of the authority for a client's key.
    func certificate(_ name: String, _ key: PublicKey) throws -> Certificate {
        try CertificateBuilder(
            commonName: name,
            role: .client,
            notBefore: 1_700_000_000,
            notAfter: 4_000_000_000
        ).issued(for: key, by: authority.certificate("root"), key: authority.key("root"))
    }

    /// A session that shows a certificate of the authority.
    func session(_ name: String, _ key: PrivateKey, allowsHTTP2: Bool = true) throws -> CurlSession {
        var configuration = CurlSession.Configuration(trustRoots: .pem(try authority.bytes("root.pem")))
        configuration.timeout = .seconds(30)
        configuration.allowsHTTP2 = allowsHTTP2
        configuration.clientIdentity = try ClientIdentity(
            chain: [certificate(name, key.publicKey)],
            key: key
        )
        return try CurlSession(configuration: configuration)
    }

    /// The connection, whether it resumed a session, and the client of each request that was answered.
    func requests(_ count: Int = 0) async throws -> [(connection: String, isResumed: Bool, client: String)] {
        try await daemon.requests(count).map { ($0[0], $0[1] != ".", $0[2]) }
    }
}
