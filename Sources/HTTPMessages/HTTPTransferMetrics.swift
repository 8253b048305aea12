/// What an exchange cost: times from its start, on a clock that cannot jump, and octets.
public struct HTTPTransferMetrics: Sendable, Hashable {
    /// Until the host's addresses were known; zero on a reused connection.
    public var nameLookup: Duration
    /// Until the host had taken the connection; zero on a reused connection.
    public var connect: Duration
    /// Until the TLS handshake was done; zero on a reused connection, and without TLS.
    public var secured: Duration
    /// Until the first octet of the response.
    public var firstByte: Duration
    /// Until the last octet of the response.
    public var total: Duration
    /// Whether a connection was used that an earlier exchange had opened.
    public var isConnectionReused: Bool
    /// The protocol: `HTTP/1.1` or `HTTP/2`.
    public var protocolName: String
    /// The octets of the request's content.
    public var sentBytes: Int
    /// The octets of the response's content, as they are on the wire.
    public var receivedBytes: Int

    /// Makes metrics.
    public init(
        nameLookup: Duration,
        connect: Duration,
        secured: Duration,
        firstByte: Duration,
        total: Duration,
        isConnectionReused: Bool,
        protocolName: String,
        sentBytes: Int,
        receivedBytes: Int
    ) {
        self.nameLookup = nameLookup
        self.connect = connect
        self.secured = secured
        self.firstByte = firstByte
        self.total = total
        self.isConnectionReused = isConnectionReused
        self.protocolName = protocolName
        self.sentBytes = sentBytes
        self.receivedBytes = receivedBytes
    }
}
