import Locking

/// Gives foreign work a limit that holds even when the work heeds neither cancellation nor time.
///
/// A task group would wait for the work to end; here it is left behind, cancelled, and its late answer is dropped.
package enum Deadline {
    /// The work's value, or nil when it took longer than the limit.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    package static func value<Value: Sendable>(
        within limit: Duration,
        time: TimeSource,
        of work: @escaping @Sendable () async -> Value
    ) async throws -> Value? {
        let gate = Gate<Value?>()
        let worker = Task { gate.open(.success(await work())) }
        let timer = Task {
            guard (try? await time.sleep(limit)) != nil else { return }
            gate.open(.success(nil))
        }
        defer {
            worker.cancel()
            timer.cancel()
        }
        return try await withTaskCancellationHandler {
            try await gate.value()
        } onCancel: {
            gate.open(.failure(CancellationError()))
        }
    }
}

/// A value that arrives once and is waited for by one task; whatever arrives later is dropped.
private final class Gate<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, any Error>)
        case open(Result<Value, any Error>)
    }

    private let state = Mutex(State.empty)

    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<Value, any Error>? = state.withLock { state in
                if case .open(let result) = state { return result }
                state = .waiting(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    func open(_ result: Result<Value, any Error>) {
        let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .empty:
                state = .open(result)
                return nil
            case .waiting(let continuation):
                state = .open(result)
                return continuation
            case .open: return nil
            }
        }
        continuation?.resume(with: result)
    }
}
