import HTTPMessages

extension StreamGate {
    /// What exchanges have in common that wait for each other.
    struct Key: Hashable, Sendable {
        /// What libcurl counts connections by: the port and the name, whatever the scheme and what is asked of TLS.
        let host: String
        /// What exchanges have in common that can share a connection; empty for those that share none.
        let authority: String
        /// What is demanded of TLS; nil for exchanges that share no connection.
        let policy: String?

        /// - Parameters:
        ///   - target: What is asked for.
        ///   - proxy: The proxy that it is asked for through.
        ///   - policy: What is demanded of TLS, when exchanges may share a connection.
        init(_ target: RequestTarget, through proxy: Proxy?, policy: String?) {
            // A proxy is told whole URLs of plain HTTP, so that one connection to it serves all servers.
            if let proxy, proxy.kind == .http, !target.isSecure {
                host = Self.text(proxy.host, proxy.port)
            } else {
                host = Self.text(target.host, target.port)
            }
            authority = policy == nil ? "" : target.authority
            self.policy = policy
        }

        var mayShare: Bool { policy != nil }

        private static func text(_ name: String, _ port: Int) -> String {
            "\(port)/\(name.lowercased())"
        }
    }
}
