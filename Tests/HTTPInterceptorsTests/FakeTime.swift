import FoundationEssentials
import Locking
import Timing

/// Clocks whose sleepers do not wait: a sleep moves them on and is kept.
final class FakeTime: Sendable {
    private struct State {
        var uptime = Duration.zero
        var sleeps: [Duration] = []
    }

    private let state = Mutex(State())
    private let start: Date

    /// Shows a date, by default 2026-01-01T00:00:00Z, a Thursday.
    init(start: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        self.start = start
    }

    var uptime: Duration { state.withLock { $0.uptime } }

    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    func advance(by duration: Duration) {
        state.withLock { $0.uptime += duration }
    }

    var source: TimeSource {
        TimeSource(
            date: { self.start + self.uptime / .seconds(1) },
            uptime: { self.uptime },
            sleep: { duration in
                try Task.checkCancellation()
                self.state.withLock { state in
                    state.sleeps.append(duration)
                    state.uptime += duration
                }
            }
        )
    }

    /// Clocks that stand still, whose sleepers wait until they are cancelled.
    static func endless(whenAsleep: @escaping @Sendable () -> Void = {}) -> TimeSource {
        TimeSource(
            date: { Date(timeIntervalSince1970: 1_767_225_600) },
            uptime: { .zero },
            sleep: { _ in
                whenAsleep()
                try await Task.sleep(for: .seconds(86_400))
            }
        )
    }
}
