public import Cryptography
public import HTTPMessages

extension CurlSession {
    /// The certificates that a server's chain must lead to.
    public enum TrustRoots: Sendable, Hashable {
        /// Those of the system.
        case system
        /// Those of a file in PEM; it is read once and kept for all connections.
        case file(String)
        /// These, in PEM.
        case pem([UInt8])
    }

    /// A version of TLS.
    public enum TLSVersion: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    /// What a session trusts and how far it goes.
    public struct Configuration: Sendable {
        /// The roots of trust for `https`; by default the system's.
        public var trustRoots: TrustRoots
        /// The keys that servers are pinned to, until ``CurlSession/setPins(_:)``; by default none.
        ///
        /// Requests may bring others.
        public var pins = PinningPolicy()
        /// Told of each handshake whose keys do not fit the pins, by the task that made the request; by default nobody.
        public var pinningReporter: (@Sendable (PinningReport) -> Void)?
        /// What servers are shown that ask who the client is; nil, the default, shows nothing.
        ///
        /// With a key in a device, the session's one thread waits for the device in each such handshake, and all its
        /// exchanges with it; see `ClientIdentity`. A handshake that the device does not sign fails with code `tlsFailed`, and
        /// the message says why.
        public var clientIdentity: ClientIdentity?
        /// The hosts that are shown ``clientIdentity``; nil, the default, is every host that asks.
        ///
        /// A redirect can lead to any host, which then learns who the client is.
        public var clientIdentityHosts: [HostPattern]?
        /// The oldest version of TLS that is spoken; by default TLS 1.2.
        public var minimumTLSVersion = TLSVersion.tls12
        /// Lists of revoked certificates, in PEM; nil, the default, asks for none.
        ///
        /// With lists, every certificate of a chain but the root needs one that is in force.
        public var revocationLists: [UInt8]?
        /// Whether servers must staple a good status of their certificate to the handshake (RFC 6066, section 8); by default
        /// not.
        public var requiresStapledStatus = false
        /// How long a whole exchange may take, from the call to the last octet; by default 60 seconds.
        ///
        /// A request can have its own limit.
        public var timeout: Duration
        /// How long name resolution, connection and TLS handshake may take together; by default 10 seconds.
        public var connectTimeout: Duration
        /// How long the head of a response may take to come, from the call on; nil, the default, is the timeout alone.
        public var firstByteTimeout: Duration?
        /// How long nothing may come within a content; by default 60 seconds.
        ///
        /// The time in which a stream is not read does not count.
        public var idleTimeout = Duration.seconds(60)
        /// How long a connection may be used at all; nil, the default, is for ever.
        public var maximumConnectionLifetime: Duration?
        /// Whether HTTP/2 is spoken with servers that can, over TLS; by default it is.
        public var allowsHTTP2 = true
        /// Whether responses are asked for in, and read from, the content codings that libcurl knows (RFC 9110, section 8.4); by
        /// default not.
        ///
        /// The fields stay as they came, so `Content-Length` and a digest are those of the coded content. A request with an
        /// `Accept-Encoding` of its own gets its content as it came. libcurl does not notice coded content that is whole by
        /// the framing of HTTP and yet ends before its coding does.
        public var decodesContent = false
        /// The proxy for all requests; nil, the default, connects to the hosts themselves.
        public var proxy: Proxy?
        /// The largest content of a response in memory, in octets, after decoding; by default 64 MiB.
        public var maximumResponseSize: Int
        /// The largest content of a response that is read as a stream or saved as a file, in octets, after decoding.
        ///
        /// By default there is no limit: such content needs no memory of its size.
        public var maximumStreamSize = Int.max
        /// The largest head of a response, in octets, at most 256 KiB; by default 64 KiB.
        ///
        /// Informational responses count with it. libcurl itself takes no line of more than 100 kB.
        public var maximumHeadSize: Int
        /// The most fields of a response; by default 256.
        public var maximumFieldCount: Int
        /// The most connections to one host, which is a name and a port; by default 64.
        ///
        /// Further requests wait, those for one host in their order, and none for those of another host. An HTTP proxy is one host
        /// for all requests of plain HTTP.
        public var maximumConnectionsPerHost: Int
        /// The most connections in all; by default 256.
        ///
        /// Further requests wait, in their order but for those whose host has its most. Hosts that hang can take all connections
        /// until their requests run out of time, when the limit is not above what these hosts may have together.
        public var maximumConnections: Int
        /// How long an unused connection may still be taken for another request; by default 60 seconds.
        ///
        /// It counts in whole seconds, of the age too: with one second, a connection is taken that is unused for less than two.
        /// One that is older is closed when the next request comes, and stays open where none does.
        public var maximumIdleAge: Duration
        /// The `User-Agent` of requests that have none, by default this library's name and version; nil sends none.
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
                (firstByteTimeout.map { $0 > .zero } ?? true, "the first byte timeout is not positive"),
                (idleTimeout > .zero, "the idle timeout is not positive"),
                (
                    maximumConnectionLifetime.map { $0 >= .seconds(1) && $0 <= .seconds(31_536_000) } ?? true,
                    "the lifetime of connections is not between a second and a year"
                ),
                (maximumResponseSize >= 0, "the maximum response size is negative"),
                (maximumStreamSize >= 0, "the maximum size of a stream is negative"),
                // libcurl ends at 300 KiB, with an error that says nothing of it.
                ((0...256 << 10).contains(maximumHeadSize), "the maximum head size is not in 0...262144"),
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
        }

        /// What a host is shown of the client.
        func identity(for host: String) -> ClientIdentity? {
            guard let hosts = clientIdentityHosts else { return clientIdentity }
            return hosts.contains { $0.matches(host) } ? clientIdentity : nil
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
