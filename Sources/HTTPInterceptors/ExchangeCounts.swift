import Locking

/// How often the interceptors inside one measured request sent it again, and why.
///
/// The interceptor that measures makes one and runs the rest of the chain with it as ``current``; those that send again
/// add to it, and to those of measurements further out.
final class ExchangeCounts: Sendable {
    enum Reason {
        case retry, redirect, refresh
    }

    @TaskLocal static var current: ExchangeCounts?

    private let outer = ExchangeCounts.current
    private let counts = Mutex<[Reason: Int]>([:])

    subscript(reason: Reason) -> Int { counts.withLock { $0[reason, default: 0] } }

    func add(_ reason: Reason) {
        counts.withLock { $0[reason, default: 0] += 1 }
        outer?.add(reason)
    }
}
