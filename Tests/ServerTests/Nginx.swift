import TestSupport

/// A web server on two free ports of this machine, one for TLS and one without, with files and a log of its own.
final class Nginx: Sendable {
    /// What the log says of one request.
    struct Entry: Sendable {
        let connection: String
        let version: String
        let method: String
        let path: String
        let status: String
    }

    private let ports: (secure: Int, plain: Int)
    private let folder: TemporaryFolder
    private let daemon: NginxDaemon

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - certificate: The name of its certificate in ``CertificateAuthority``.
    ///   - settings: Lines for both servers.
    ///   - tls: Lines for the one over TLS.
    /// - Throws: As `NginxDaemon` and `CertificateAuthority`.
    init(_ certificate: String = "good", settings: String = "", tls: String = "") async throws {
        let folder = try TemporaryFolder()
        let ports = (secure: Loopback.freePort(), plain: Loopback.freePort())
        let authority = try CertificateAuthority.shared.folder
        let common = """
            root \(folder.path);
                client_max_body_size 0;
                \(settings)
                location = /hello { default_type text/plain; return 200 "hello $ssl_client_s_dn"; }
                location /put/ { dav_methods PUT DELETE; create_full_put_path on; }
            """
        self.ports = ports
        self.folder = folder
        daemon = try await NginxDaemon(
            in: folder,
            port: ports.secure,
            logging: ["connection", "server_protocol", "request_method", "uri", "status"],
            servers: """
                  server {
                    listen 127.0.0.1:\(ports.secure) ssl http2 backlog=1024;
                    ssl_certificate \(authority["\(certificate).pem"]);
                    ssl_certificate_key \(authority["\(certificate).key"]);
                    \(tls)
                    \(common)
                  }
                  server {
                    listen 127.0.0.1:\(ports.plain) backlog=1024;
                    \(common)
                  }
                """
        )
    }

    var url: String { "https://127.0.0.1:\(ports.secure)" }
    var plainURL: String { "http://127.0.0.1:\(ports.plain)" }
    var port: Int { ports.secure }
    var plainPort: Int { ports.plain }

    func write(_ name: String, _ bytes: [UInt8]) throws { try folder.write(name, bytes) }

    func read(_ name: String) throws -> [UInt8] { try folder.bytes(name) }

    /// The requests that were answered, at least so many.
    func entries(_ count: Int = 0) async throws -> [Entry] {
        try await daemon.requests(count).map {
            Entry(connection: $0[0], version: $0[1], method: $0[2], path: $0[3], status: $0[4])
        }
    }

    /// How many connections requests came over, at least so many.
    func connections(ofRequests count: Int) async throws -> Int {
        Set(try await entries(count).map(\.connection)).count
    }
}
