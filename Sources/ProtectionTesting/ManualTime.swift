public import FoundationEssentials
import Locking
public import Timing

/// Clocks that stand still until a test moves them.
public final class ManualTime: Sendable {
    private struct Sleeper {
        let wakesAt: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var date: Date
        var uptime = Duration.zero
        var sleepers: [UInt64: Sleeper] = [:]
        var lastSleeper: UInt64 = 0
    }

    private let state: Mutex<State>

    /// Makes clocks that show a date, by default 2026-01-01T00:00:00Z.
    public init(date: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        state = Mutex(State(date: date))
    }

    /// The clocks, for the code under test.
    public var source: TimeSource {
        TimeSource(date: { self.date }, uptime: { self.state.withLock { $0.uptime } }, sleep: sleep)
    }

    /// What the wall clock shows.
    public var date: Date { state.withLock { $0.date } }

    /// How many tasks sleep now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Lets time pass on both clocks and wakes who has slept long enough.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.uptime += duration
            state.date += duration / .seconds(1)
            let due = state.sleepers.filter { $0.value.wakesAt <= state.uptime }
            for key in due.keys { state.sleepers[key] = nil }
            return due.values
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Sets the wall clock alone, as an administrator or a time server does.
    public func setDate(_ date: Date) {
        state.withLock { $0.date = date }
    }

    private func sleep(_ duration: Duration) async throws {
        let id = state.withLock { state in
            state.lastSleeper += 1
            return state.lastSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                let isAsleep = state.withLock { state in
                    // Asked under the lock: a handler that came before found nobody to wake.
                    guard !Task.isCancelled else { return false }
                    state.sleepers[id] = Sleeper(wakesAt: state.uptime + duration, continuation: continuation)
                    return true
                }
                if !isAsleep { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
