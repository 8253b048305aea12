import Locking
public import Timing

/// Remembers the nonces of signatures for as long as their signatures could be sent again, in the memory of one process.
///
/// Backends of several processes need one store for all of them, with the same rule: look up and record in one step.
public final class NonceCache: Sendable {
    private struct Key: Hashable {
        let installation: String
        let nonce: String
    }

    private struct State {
        var ends: [Key: Duration] = [:]
        /// In the order of their ends, since all live equally long.
        var order: [(key: Key, end: Duration)] = []
        var first = 0
    }

    private let lifetime: Duration
    private let capacity: Int
    private let time: TimeSource
    private let state = Mutex(State())

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - lifetime: How long a nonce is remembered: not less than the age that a signature may have plus twice the
    ///     clock skew.
    ///   - capacity: The most nonces that are remembered; beyond it every nonce is refused, as if it were old.
    ///   - time: What the lifetime is measured with.
    public init(lifetime: Duration = .seconds(120), capacity: Int = 1_000_000, time: TimeSource = .system) {
        self.lifetime = lifetime
        self.capacity = capacity
        self.time = time
    }

    /// Records a nonce: of several callers with one nonce, exactly one is answered true.
    ///
    /// - Parameters:
    ///   - nonce: The nonce; one longer than 256 octets is refused.
    ///   - installation: Whose it is; the same nonce of two installations is two.
    /// - Returns: Whether the nonce was new.
    @Sendable public func insert(_ nonce: String, of installation: String) -> Bool {
        guard nonce.utf8.count <= 256 else { return false }
        let key = Key(installation: installation, nonce: nonce)
        let now = time.uptime()
        return state.withLock { state in
            while state.first < state.order.count, state.order[state.first].end <= now {
                state.ends[state.order[state.first].key] = nil
                state.first += 1
            }
            if state.first > 1024, state.first * 2 > state.order.count {
                state.order.removeFirst(state.first)
                state.first = 0
            }
            guard state.ends[key] == nil, state.ends.count < capacity else { return false }
            state.ends[key] = now + lifetime
            state.order.append((key, now + lifetime))
            return true
        }
    }
}
