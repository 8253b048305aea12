/// How one request is sent; nothing of it goes on the wire.
public struct HTTPRequestOptions: Sendable, Hashable {
    /// How long the whole exchange may take, from the call to the last octet; nil is the session's own limit.
    public var timeout: Duration?
    /// Whether the pins of the host hold for this request.
    public var isPinned: Bool
    /// The pins that hold for this request, in place of the session's own; nil leaves it to those.
    public var pins: PinningPolicy?

    /// Makes options; nil leaves a choice to the session.
    public init(timeout: Duration? = nil, isPinned: Bool = true, pins: PinningPolicy? = nil) {
        self.timeout = timeout
        self.isPinned = isPinned
        self.pins = pins
    }
}
