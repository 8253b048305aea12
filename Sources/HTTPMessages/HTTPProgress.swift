/// How far an exchange has come, for whoever watches.
///
/// ```swift
/// let progress = HTTPProgress()
/// Task { for await state in progress.states { show(state.received, state.expected) } }
/// request.options.progress = progress
/// ```
public final class HTTPProgress: Sendable, Hashable {
    /// What has gone and come, in octets of content.
    public struct State: Sendable, Hashable {
        /// How much of the request's content was sent.
        public var sent: Int
        /// How much of the response's content was received, as it is on the wire.
        public var received: Int
        /// How much of the response's content there will be, when the server has told.
        public var expected: Int?

        /// Makes a state.
        public init(sent: Int, received: Int, expected: Int?) {
            self.sent = sent
            self.received = received
            self.expected = expected
        }
    }

    /// The states, the newest alone kept for a slow reader; it ends with the exchange.
    public let states: AsyncStream<State>
    private let continuation: AsyncStream<State>.Continuation

    /// Makes a watcher for one exchange.
    public init() {
        (states, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Tells a new state; for transports.
    public func report(_ state: State) { continuation.yield(state) }

    /// Tells that the exchange has ended; for transports.
    public func end() { continuation.finish() }

    /// Whether both are the same object.
    public static func == (left: HTTPProgress, right: HTTPProgress) -> Bool { left === right }

    /// Feeds the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
