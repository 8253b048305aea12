import Locking

/// Connectivity as the app reports it, from whatever tells it.
public final class ReportedConnectivity: ConnectivityMonitor {
    private struct State {
        var isConnected: Bool
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var lastWaiter = 0
    }

    private let state: Mutex<State>

    /// Makes a monitor with a first report.
    public init(isConnected: Bool = true) {
        state = Mutex(State(isConnected: isConnected))
    }

    /// Whether the last report said that there is a network.
    public var isConnected: Bool { state.withLock { $0.isConnected } }

    /// Takes a report, and lets those that wait go on when it says that there is a network.
    public func report(isConnected: Bool) {
        let waiters = state.withLock { state in
            state.isConnected = isConnected
            guard isConnected else { return [CheckedContinuation<Void, any Error>]() }
            let waiters = Array(state.waiters.values)
            state.waiters = [:]
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for a report that there is a network.
    public func waitUntilConnected() async throws {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                let answer: Result<Void, any Error>? = state.withLock { state in
                    // Asked under the lock: a handler that came before found nobody to wake.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.isConnected { return .success(()) }
                    state.waiters[waiter] = continuation
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let continuation = state.withLock { $0.waiters.removeValue(forKey: waiter) }
            continuation?.resume(throwing: CancellationError())
        }
    }
}
