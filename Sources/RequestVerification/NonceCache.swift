import Locking
public import MessageSignatures
public import Timing

/// Remembers the nonces of signatures for as long as their signatures could be sent again, in the memory of one process.
///
/// What it cannot be sure of it refuses: a nonce beyond its capacity, and a signature that the process before this one may
/// have taken. Backends of several processes need one store for all of them, with the same rule: look up and record in one
/// step, and remember until `NonceUse.acceptedUntil`.
public final class NonceCache: Sendable {
    private struct Key: Hashable {
        let owner: String?
        let nonce: String
    }

    private struct State {
        var known: Set<Key> = []
        var counts: [String?: Int] = [:]
        var ends = EndQueue<Key>()
        /// The latest time that was seen.
        ///
        /// What ended before it is forgotten, and stays refused when the clock is set back: after one that was ahead, until it
        /// gets there again.
        var now = Int64.min
    }

    private let capacity: Int
    private let capacityPerOwner: Int
    /// When the cache was made; nil takes signatures of before too.
    private let start: Int64?
    private let time: TimeSource
    private let state = Mutex(State())

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - capacity: The most nonces that are remembered; beyond it every nonce is refused, as if it were old.
    ///   - capacityPerOwner: The most nonces of one owner that is known, so that no single one can fill the cache for all; whoever
    ///     has one key for many clients needs more. At the
    ///     default an installation can send 140 requests a second if its signatures are taken for 70.
    ///   - takesEarlierSignatures: Whether a signature is taken that was made before this cache was, whose nonce the process
    ///     before this one may have taken. Without it a restart gives hardly any nonce a second life: those of the second of the
    ///     start, and of clients whose clock is ahead for as long as it is. For as long as it is behind, the requests of a client
    ///     whose clock is behind are refused after a start; so is a signature that does not state `created`.
    ///   - time: The clock, the one that the verifier has.
    public init(
        capacity: Int = 1_000_000,
        capacityPerOwner: Int = 10_000,
        takesEarlierSignatures: Bool = false,
        time: TimeSource = .system
    ) {
        self.capacity = capacity
        self.capacityPerOwner = capacityPerOwner
        start = takesEarlierSignatures ? nil : time.secondsSince1970
        self.time = time
    }

    /// Records a nonce: of several callers with one nonce, exactly one is answered true.
    ///
    /// - Parameter use: The nonce; one longer than 256 octets is refused. The same nonce of two owners is two.
    /// - Returns: Whether the nonce was new.
    @Sendable public func insert(_ use: NonceUse) -> Bool {
        guard use.nonce.utf8.count <= 256 else { return false }
        if let start {
            guard let created = use.created, created >= start else { return false }
        }
        let key = Key(owner: use.owner, nonce: use.nonce)
        let now = time.secondsSince1970
        return state.withLock { state in
            state.now = max(state.now, now)
            while let ended = state.ends.removeFirst(endedBefore: state.now) {
                state.known.remove(ended)
                let rest = state.counts[ended.owner, default: 0] - 1
                state.counts[ended.owner] = rest > 0 ? rest : nil
            }
            let count = state.counts[key.owner, default: 0]
            guard use.acceptedUntil >= state.now, key.owner == nil || count < capacityPerOwner,
                state.known.count < capacity,
                state.known.insert(key).inserted
            else { return false }
            state.counts[key.owner] = count + 1
            state.ends.add(key, until: use.acceptedUntil)
            return true
        }
    }
}
