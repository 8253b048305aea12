import Locking
public import Timing

/// Challenges in memory, for one process.
///
/// A flood of requests for challenges cannot exhaust the memory: beyond the capacity the oldest challenge goes. An honest
/// client shows its attestation within a second or two, so it is served as long as the flood needs longer than that to
/// fill the store; refusing new challenges instead would shut it out for as long as the flood lasts.
public final class InMemoryChallengeStore: ChallengeStore {
    private struct Entry {
        let challenge: IssuedChallenge
        let end: Duration
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The sessions in the order in which they came, those that were taken among them.
        var order: [String] = []
        var first = 0

        mutating func dropFirst() {
            entries[order[first]] = nil
            first += 1
            if first > 1024, first * 2 > order.count {
                order.removeFirst(first)
                first = 0
            }
        }
    }

    private let capacity: Int
    private let time: TimeSource
    private let state = Mutex(State())

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - capacity: The most challenges, about 300 octets each; those taken count until they are the oldest.
    ///   - time: What their life is measured with: a clock that cannot jump.
    public init(capacity: Int = 100_000, time: TimeSource = .system) {
        precondition(capacity > 0, "a store has room for one challenge at least")
        self.capacity = capacity
        self.time = time
    }

    /// Keeps a challenge, in the place of the oldest when there is no room.
    public func insert(_ challenge: IssuedChallenge, lifetime: Duration) async -> Bool {
        let now = time.uptime()
        return state.withLock { state in
            while state.first < state.order.count {
                let entry = state.entries[state.order[state.first]]
                let isOver = entry.map { $0.end <= now } ?? true
                guard isOver || state.order.count - state.first >= capacity else { break }
                state.dropFirst()
            }
            guard state.entries[challenge.sessionID] == nil else { return false }
            state.entries[challenge.sessionID] = Entry(challenge: challenge, end: now + lifetime)
            state.order.append(challenge.sessionID)
            return true
        }
    }

    /// Forgets the challenge of a session and returns it, if its time is not over.
    ///
    /// How long the look-up takes tells nothing: the table's hash has a random seed.
    public func take(_ sessionID: String) async -> IssuedChallenge? {
        let now = time.uptime()
        return state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: sessionID), entry.end > now else {
                return nil
            }
            return entry.challenge
        }
    }
}
