import Glibc

/// nginx, which answers as a configuration says until this object goes.
package final class NginxDaemon: Sendable {
    private static let program = "/usr/sbin/nginx"
    package static let isPresent = unsafe access(program, X_OK) == 0
    /// What a skipped suite says.
    package static let absence = "nginx is not installed: make test installs it"

    private let folder: TemporaryFolder
    private let columns: Int
    private let daemon: Daemon

    /// Starts nginx.
    ///
    /// - Parameters:
    ///   - folder: Where its files are.
    ///   - port: One that it takes connections on.
    ///   - variables: What its log says of each request, by nginx's names without the dollar sign.
    ///   - servers: Its `server` blocks.
    /// - Throws: As `Daemon`, or when its configuration cannot be written.
    package init(
        in folder: TemporaryFolder,
        port: Int,
        logging variables: [String],
        servers: String
    ) async throws {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder[$0]);" }.joined(separator: "\n  ")
        let configuration = """
            daemon off;
            master_process off;
            pid \(folder["nginx.pid"]);
            events { worker_connections 2048; }
            http {
              \(temporary)
              log_format line '\(variables.map { "$" + $0 }.joined(separator: " "))';
              access_log \(folder["access"]) line;
              default_type text/plain;
            \(servers)
            }
            """
        self.folder = folder
        columns = variables.count
        daemon = try await Daemon(
            Self.program,
            ["-p", folder.path, "-e", "stderr", "-c", folder.write("nginx.conf", configuration)],
            log: folder["nginx.log"],
            port: port
        )
    }

    /// What the log says of each request that was answered, in the order of the variables.
    ///
    /// - Parameter count: How many requests to wait for at least: each is logged after its response was sent.
    /// - Returns: The columns of each line that is whole.
    /// - Throws: ``NeverHappened`` when there are fewer after a minute; what the log cannot be read for.
    package func requests(_ count: Int = 0) async throws -> [[String]] {
        var requests: [[String]] = []
        try await eventually {
            requests = try folder.text("access").split(separator: "\n")
                .map { $0.split(separator: " ").map(String.init) }.filter { $0.count == columns }
            return requests.count >= count
        }
        return requests
    }
}
