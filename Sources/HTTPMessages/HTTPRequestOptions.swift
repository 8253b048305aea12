/// How one request is sent; nothing of it goes on the wire.
public struct HTTPRequestOptions: Sendable, Hashable {
    /// How long the exchange may take, from the call to the last octet; nil is the session's own limit.
    ///
    /// The session's own limit ends for a streamed response with its head; a limit given here holds to the last octet, and for
    /// all hops of a redirect together. What interceptors do before the request is sent, such as fetching a token, is not part
    /// of it. A limit that is not positive is refused.
    public var timeout: Duration?
    /// How long nothing may come or go once there is a connection; nil is the session's own limit.
    ///
    /// The session's own limit holds from the head of the response on; a limit given here while the request is sent and its
    /// response is awaited too. A limit that is not positive is refused.
    public var idleTimeout: Duration?
    /// Whether the pins of the host hold for this request.
    public var isPinned: Bool
    /// The pins that hold for this request, in place of the session's own; nil leaves it to those.
    public var pins: PinningPolicy?
    /// Whether the call returns with the head of the response, and the content is read from ``HTTPResponse/stream``.
    public var streamsResponse: Bool
    /// The largest content of the response, in octets; nil is the session's own limit, for memory or for streams.
    public var maximumResponseSize: Int?
    /// Whether trailer fields of the response are asked for, by `TE: trailers` (RFC 9110, section 10.1.4).
    ///
    /// They are read without that too where no length of the content is announced. Over HTTP/2 an announced length ends the
    /// exchange otherwise, and what comes later is lost. It is not the default because libcurl 7.88 resets every stream that
    /// it does not end by a length, and servers end a connection that has seen many resets.
    public var acceptsTrailers: Bool
    /// Told how far the exchange has come.
    public var progress: HTTPProgress?

    /// Makes options; nil leaves a choice to the session.
    public init(
        timeout: Duration? = nil,
        idleTimeout: Duration? = nil,
        isPinned: Bool = true,
        pins: PinningPolicy? = nil,
        streamsResponse: Bool = false,
        maximumResponseSize: Int? = nil,
        acceptsTrailers: Bool = false,
        progress: HTTPProgress? = nil
    ) {
        self.timeout = timeout
        self.idleTimeout = idleTimeout
        self.isPinned = isPinned
        self.pins = pins
        self.streamsResponse = streamsResponse
        self.maximumResponseSize = maximumResponseSize
        self.acceptsTrailers = acceptsTrailers
        self.progress = progress
    }
}
