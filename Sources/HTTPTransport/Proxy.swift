internal import HTTPMessages

/// A proxy that a session's requests go through; none is ever taken from the environment.
///
/// Requests to this machine by its loopback names and addresses go there directly, unless the proxy is on it too. The
/// description shows no credentials.
public struct Proxy: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// How the proxy is spoken to.
    public enum Kind: String, Sendable, Hashable {
        /// By HTTP: a tunnel (CONNECT) for https, the whole URL for http.
        case http
        /// By SOCKS 5 (RFC 1928); the proxy looks the host's name up.
        case socks5 = "socks5h"
    }

    /// How the proxy is spoken to.
    public let kind: Kind
    /// The proxy's host.
    public let host: String
    /// The proxy's port.
    public let port: Int
    let user: String?
    let password: String?

    /// Makes a proxy.
    ///
    /// - Throws: ``TransportError`` with code `invalidConfiguration` for a host or port that cannot be, or a user name with
    ///   a colon or NUL.
    public init(
        _ kind: Kind,
        host: String,
        port: Int,
        user: String? = nil,
        password: String? = nil
    ) throws(TransportError) {
        let isHost =
            !host.isEmpty
            && host.utf8.allSatisfy { octet in
                (0x30...0x39).contains(octet) || (0x41...0x5A).contains(octet)
                    || (0x61...0x7A).contains(octet)
                    || [0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F].contains(octet)
            }
        guard isHost, (1...65535).contains(port), (try? RequestTarget("http://\(host):\(port)/")) != nil
        else {
            throw TransportError(.invalidConfiguration, "the proxy's host or port cannot be")
        }
        guard user?.contains(":") != true,
            ![user, password].contains(where: { $0?.utf8.contains(0) == true })
        else {
            throw TransportError(.invalidConfiguration, "the proxy's user name or password cannot be")
        }
        self.kind = kind
        self.host = host
        self.port = port
        self.user = user
        self.password = password
    }

    /// The proxy for requests to a host; nil for one on this machine, which a proxy elsewhere would take for its own.
    func serving(_ target: RequestTarget) -> Proxy? {
        let isHere = (try? RequestTarget("http://\(host):\(port)"))?.isLoopback == true
        return target.isLoopback && !isHere ? nil : self
    }

    var url: String { "\(kind.rawValue)://\(host):\(port)" }

    /// Kind, host and port.
    public var description: String { url }

    /// Kind, host and port, so that a dump shows no credentials.
    public var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}
