import FoundationEssentials
import Glibc
import TestSupport

/// A real web server on a free port of this machine, with the files and the log of one test.
struct Nginx {
    /// Whether the program is there.
    static let isPresent = unsafe access("/usr/sbin/nginx", X_OK) == 0

    let port: Int
    let folder: String
    private let daemon: Daemon

    /// Starts a server over TLS.
    ///
    /// - Parameters:
    ///   - certificate: The name of its certificate in ``Certificates``.
    ///   - settings: Lines for the server's block.
    /// - Throws: When the server cannot be started.
    init(_ certificate: String = "good", settings: String = "") async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/nginx-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
        let (descriptor, port) = RawServer.listen(backlog: 1)
        close(descriptor)
        self.port = port
        self.folder = folder
        let certificates = Certificates.shared.folder
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/temp;" }.joined(separator: "\n")
        let text = """
            daemon off;
            master_process off;
            pid \(folder)/pid;
            error_log stderr;
            events { worker_connections 1024; }
            http {
              \(temporary)
              log_format line '$connection $server_protocol $uri';
              access_log \(folder)/access line;
              default_type text/plain;
              server {
                listen 127.0.0.1:\(port) ssl http2 backlog=1024;
                ssl_certificate \(certificates)/\(certificate).pem;
                ssl_certificate_key \(certificates)/\(certificate).key;
                root \(folder)/files;
                \(settings)
                location = /hello { return 200 "hello $ssl_client_s_dn"; }
              }
            }
            """
        try Data(text.utf8).write(to: URL(filePath: folder + "/conf"))
        daemon = try await Daemon(
            "/usr/sbin/nginx",
            ["-p", folder, "-e", "stderr", "-c", folder + "/conf"],
            log: folder + "/log",
            port: port
        )
    }

    var url: String { "https://127.0.0.1:\(port)" }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: folder + "/files/" + name))
    }

    /// The numbers of the connections that requests came over.
    func connections() throws -> Set<String> {
        let log = try String(contentsOfFile: folder + "/access", encoding: .utf8)
        return Set(log.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) })
    }

    /// Removes the files; the program ends with the last reference to it.
    func clean() { try? FileManager.default.removeItem(atPath: folder) }
}
