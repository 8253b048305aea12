import Glibc
import HTTPMessages

extension CurlSession {
    /// The certificates that a server's chain must lead to.
    public enum TrustRoots: Sendable, Hashable {
        /// Those of the system.
        case system
        /// Those of a file in PEM; it is read once and kept for all connections.
        case file(String)
        /// These, in PEM; they are read again for each new connection, so let them be few.
        case pem([UInt8])
    }

    /// What a session trusts and how far it goes.
    public struct Configuration: Sendable {
        /// The roots of trust for `https`.
        public var trustRoots: TrustRoots
        /// How long a whole exchange may take, from the call to the last octet; a request can have its own limit.
        public var timeout: Duration
        /// How long name resolution, connection and TLS handshake may take together.
        public var connectTimeout: Duration
        /// The largest content of a response, in octets.
        public var maximumResponseSize: Int
        /// The largest head of a response, in octets; informational responses count with it.
        public var maximumHeadSize: Int
        /// The most fields of a response.
        public var maximumFieldCount: Int
        /// The most connections to one host; further requests wait.
        public var maximumConnectionsPerHost: Int
        /// The most connections in all; further requests wait.
        public var maximumConnections: Int
        /// How long an unused connection may still be taken for another request.
        public var maximumIdleAge: Duration
        /// The `User-Agent` of requests that have none; nil sends none.
        public var userAgent: String?

        /// Makes a configuration.
        public init(
            trustRoots: TrustRoots = .system,
            timeout: Duration = .seconds(60),
            connectTimeout: Duration = .seconds(10),
            maximumResponseSize: Int = 64 << 20,
            maximumHeadSize: Int = 64 << 10,
            maximumFieldCount: Int = 256,
            maximumConnectionsPerHost: Int = 64,
            maximumConnections: Int = 256,
            maximumIdleAge: Duration = .seconds(60),
            userAgent: String? = "swift-protection/0.1.0"
        ) {
            self.trustRoots = trustRoots
            self.timeout = timeout
            self.connectTimeout = connectTimeout
            self.maximumResponseSize = maximumResponseSize
            self.maximumHeadSize = maximumHeadSize
            self.maximumFieldCount = maximumFieldCount
            self.maximumConnectionsPerHost = maximumConnectionsPerHost
            self.maximumConnections = maximumConnections
            self.maximumIdleAge = maximumIdleAge
            self.userAgent = userAgent
        }

        func check() throws(TransportError) {
            let rules: [(isMet: Bool, text: String)] = [
                (timeout > .zero, "the timeout is not positive"),
                (connectTimeout >= .milliseconds(1), "the connect timeout is under a millisecond"),
                (connectTimeout <= .seconds(86_400), "the connect timeout is over a day"),
                (maximumResponseSize >= 0, "the maximum response size is negative"),
                (maximumHeadSize >= 0, "the maximum head size is negative"),
                (maximumFieldCount >= 0, "the maximum field count is negative"),
                (
                    (1...1 << 16).contains(maximumConnectionsPerHost),
                    "the connections to a host are not in 1...65536"
                ),
                ((1...1 << 16).contains(maximumConnections), "the connections are not in 1...65536"),
                (maximumIdleAge >= .seconds(1), "the idle age is under a second"),
                (maximumIdleAge <= .seconds(86_400), "the idle age is over a day"),
            ]
            for rule in rules where !rule.isMet { throw TransportError(.invalidConfiguration, rule.text) }
            guard case .file(let path) = trustRoots else { return }
            guard !path.utf8.contains(0), unsafe access(path, R_OK) == 0 else {
                throw TransportError(.invalidConfiguration, "the file of trust roots cannot be read")
            }
        }

        /// The field for requests that name no user agent.
        func userAgentField() throws(TransportError) -> HTTPField? {
            guard let userAgent else { return nil }
            do throws(HTTPMessageError) {
                return try HTTPField(.userAgent, userAgent)
            } catch {
                throw TransportError(.invalidConfiguration, "the user agent cannot be a field's value")
            }
        }
    }
}
