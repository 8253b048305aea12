/// How one request is sent; nothing of it goes on the wire.
public struct HTTPRequestOptions: Sendable, Hashable {
    /// How long the whole exchange may take, from the call to the last octet; nil is the session's own limit.
    public var timeout: Duration?

    /// Makes options; nil leaves a choice to the session.
    public init(timeout: Duration? = nil) {
        self.timeout = timeout
    }
}
