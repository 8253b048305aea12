extension HTTPServer {
    /// Where a server listens and what it lets clients do.
    public struct Configuration: Sendable {
        /// The IPv4 or IPv6 address to listen on, without brackets; by default only this machine can connect.
        public var address: String
        /// The port to listen on; 0 takes a free one, which ``HTTPServer/port`` tells.
        public var port: Int
        /// The certificate and key of an `https` server; nil serves `http`.
        public var tls: TLS?
        /// The largest content of a request, in octets; a larger one is answered 413.
        public var maximumBodySize: Int
        /// The memory of one connection for the head of a request and for reading and writing, in octets; a head that
        /// does not fit is answered 431 or 414.
        public var connectionMemory: Int
        /// The most connections at a time; further ones wait in the queue of the system until one of them has gone.
        public var maximumConnections: Int
        /// The most connections at a time from one address; further ones are closed at once; nil sets no limit.
        ///
        /// Behind a proxy all connections come from one address, so that there is no limit by default.
        public var maximumConnectionsPerAddress: Int?
        /// How long a connection may stay silent, in whole seconds, before it is closed; a handler at work does not
        /// count as silence.
        public var idleTimeout: Duration
        /// How long a client may take for a request, from the end of its first line to its last octet, however busily it sends;
        /// by default a minute, which large uploads may need more than.
        ///
        /// As long a client may take until the first line has come: from when the connection was opened, for TLS before the
        /// handshake, or from when the answer to the request before was written; an ``idleTimeout`` above it has no effect then.
        /// The time of the handler and of the answer does not count. A connection whose time is over is closed without an answer.
        public var requestTimeout: Duration
        /// How long a client may take to read an answer, from when the handler has given it until its last octet is with the
        /// system, however busily it reads; by default ten minutes, nil for no limit.
        ///
        /// Without a limit a client that takes an octet now and then is never silent, and holds its connection for ever. A
        /// connection whose time is over is closed, and what was not sent of the answer is lost.
        public var responseTimeout: Duration?
        /// How many threads read and write; handlers run elsewhere, in Swift's own pool.
        public var threadCount: Int
        /// Called with what goes wrong while the server runs, from the server's threads; nil reports nothing.
        ///
        /// It must return soon and must not stop the server.
        public var onError: (@Sendable (HTTPServerError) -> Void)?

        /// Makes a configuration.
        public init(
            address: String = "127.0.0.1",
            port: Int = 0,
            tls: TLS? = nil,
            maximumBodySize: Int = 1 << 20,
            connectionMemory: Int = 32 << 10,
            maximumConnections: Int = 1024,
            maximumConnectionsPerAddress: Int? = nil,
            idleTimeout: Duration = .seconds(30),
            requestTimeout: Duration = .seconds(60),
            responseTimeout: Duration? = .seconds(600),
            threadCount: Int = 1,
            onError: (@Sendable (HTTPServerError) -> Void)? = nil
        ) {
            self.address = address
            self.port = port
            self.tls = tls
            self.maximumBodySize = maximumBodySize
            self.connectionMemory = connectionMemory
            self.maximumConnections = maximumConnections
            self.maximumConnectionsPerAddress = maximumConnectionsPerAddress
            self.idleTimeout = idleTimeout
            self.requestTimeout = requestTimeout
            self.responseTimeout = responseTimeout
            self.threadCount = threadCount
            self.onError = onError
        }

        func check() throws(HTTPServerError) {
            let rules: [(isMet: Bool, text: String)] = [
                ((0...65535).contains(port), "the port is not a number in 0...65535"),
                (maximumBodySize >= 0, "the maximum body size is negative"),
                (
                    (1024...1 << 24).contains(connectionMemory),
                    "the connection memory is not in 1 KiB...16 MiB"
                ),
                ((1...256).contains(threadCount), "the thread count is not in 1...256"),
                (
                    (threadCount...1 << 20).contains(maximumConnections),
                    "there are fewer connections than threads"
                ),
                (
                    (1...86_400).contains(idleTimeout.components.seconds),
                    "the idle timeout is not in 1 s...1 day"
                ),
                (
                    (.milliseconds(1)...(.seconds(86_400))).contains(requestTimeout),
                    "the request timeout is not in 1 ms...1 day"
                ),
                (
                    (.milliseconds(1)...(.seconds(86_400))).contains(responseTimeout ?? .seconds(1)),
                    "the response timeout is not in 1 ms...1 day"
                ),
                (
                    (1...1 << 20).contains(maximumConnectionsPerAddress ?? 1),
                    "there is less than one connection for an address"
                ),
            ]
            for rule in rules where !rule.isMet { throw HTTPServerError(.invalidConfiguration, rule.text) }
        }
    }

    /// The certificate and the private key that an `https` server presents.
    ///
    /// The server speaks TLS 1.2 and 1.3, with ciphers that authenticate and keys that are exchanged anew.
    public struct TLS: Sendable, CustomStringConvertible, CustomReflectable {
        /// The certificate and those that lead to its root, in PEM, the server's own first.
        public let certificateChain: [UInt8]
        /// The private key in PEM, not encrypted.
        public let privateKey: [UInt8]

        /// Takes a certificate chain and its key, both in PEM; they are checked when the server starts.
        public init(certificateChain: [UInt8], privateKey: [UInt8]) {
            self.certificateChain = certificateChain
            self.privateKey = privateKey
        }

        /// The lengths; the key is not shown.
        public var description: String {
            "certificate chain of \(certificateChain.count) octets, key of \(privateKey.count) octets"
        }

        /// A mirror without children, so that `dump` shows nothing.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}
