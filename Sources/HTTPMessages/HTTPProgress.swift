internal import Locking

/// How far an exchange has come, for whoever watches.
///
/// A request that is redirected, or sent again, is one exchange; its counts start anew with each hop and try.
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
    /// How many parts of the exchange have begun and not ended.
    private let depth = Mutex(0)

    /// Makes a watcher for one exchange.
    public init() {
        (states, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Tells a new state; for transports.
    public func report(_ state: State) { continuation.yield(state) }

    /// Tells that an exchange has begun, or a part of one; for transports and what stands around them.
    public func begin() { depth.withLock { $0 += 1 } }

    /// Tells that what was begun has ended; the states end with the outermost.
    public func end() {
        let isOver = depth.withLock { depth in
            depth = max(0, depth - 1)
            return depth == 0
        }
        if isOver { continuation.finish() }
    }

    /// Whether both are the same object.
    public static func == (left: HTTPProgress, right: HTTPProgress) -> Bool { left === right }

    /// Feeds the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
