import TestSupport

/// A web server on two free ports of this machine, one for TLS and one without, with files and a log of its own.
final class Nginx: Sendable {
    static let absence = "nginx is not installed: make test installs it"

    /// What the log says of one request.
    struct Entry: Sendable {
        let connection: String
        let version: String
        let method: String
        let path: String
        let status: String
    }

    private let ports: (secure: Int, plain: Int)
    private let folder: Scratch
    private let daemon: Daemon

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - certificate: The name of its certificate in ``Authority``.
    ///   - settings: Lines for both servers.
    ///   - tls: Lines for the one over TLS.
    /// - Throws: As `Daemon`, or when its files cannot be written.
    init(_ certificate: String = "good", settings: String = "", tls: String = "") async throws {
        let folder = try Scratch()
        let ports = (secure: Loopback.freePort(), plain: Loopback.freePort())
        let authority = Authority.shared.folder
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: "\n  ")
        let common = """
            root \(folder.path);
                client_max_body_size 0;
                \(settings)
                location = /hello { default_type text/plain; return 200 "hello $ssl_client_s_dn"; }
                location /put/ { dav_methods PUT DELETE; create_full_put_path on; }
            """
        let text = """
            master_process off;
            pid \(folder.path)/pid;
            events { worker_connections 2048; }
            http {
              \(temporary)
              log_format line '$connection $server_protocol $request_method $uri $status';
              access_log \(folder.path)/access line;
              default_type text/plain;
              server {
                listen 127.0.0.1:\(ports.secure) ssl http2 backlog=1024;
                ssl_certificate \(authority)/\(certificate).pem;
                ssl_certificate_key \(authority)/\(certificate).key;
                \(tls)
                \(common)
              }
              server {
                listen 127.0.0.1:\(ports.plain) backlog=1024;
                \(common)
              }
            }
            """
        try folder.write("conf", Array(text.utf8))
        self.ports = ports
        self.folder = folder
        daemon = try await Daemon(
            Program.nginx.rawValue,
            ["-p", folder.path, "-e", "stderr", "-c", folder.path + "/conf", "-g", "daemon off;"],
            log: folder.path + "/log",
            port: ports.secure
        )
    }

    var url: String { "https://127.0.0.1:\(ports.secure)" }
    var plainURL: String { "http://127.0.0.1:\(ports.plain)" }
    var port: Int { ports.secure }
    var plainPort: Int { ports.plain }

    func write(_ name: String, _ bytes: [UInt8]) throws { try folder.write(name, bytes) }

    func read(_ name: String) throws -> [UInt8] { try folder.read(name) }

    /// The requests that were answered.
    func entries() throws -> [Entry] {
        try folder.text("access").split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ").map(String.init)
            guard parts.count == 5 else { return nil }
            return Entry(
                connection: parts[0],
                version: parts[1],
                method: parts[2],
                path: parts[3],
                status: parts[4]
            )
        }
    }

    /// How many connections requests came over.
    func connections() throws -> Int { Set(try entries().map(\.connection)).count }
}
