internal import Locking

/// Lets one task through at a time, in the order in which they came.
final class Turnstile: Sendable {
    private struct State {
        var isTaken = false
        var waiters: [(number: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
        var lastNumber: UInt64 = 0
    }

    /// The turnstiles that the task is through: who sends something on the way must not wait for itself.
    @TaskLocal private static var passed: Set<ObjectIdentifier> = []

    private let state = Mutex(State())

    /// Whether the task is through, and has not left.
    var hasTurn: Bool { Self.passed.contains(ObjectIdentifier(self)) }

    /// Runs work when it is the task's turn, or at once when the task has it already.
    ///
    /// - Throws: What the work throws; `CancellationError` when the task is cancelled before its turn.
    func inTurn<Result>(_ work: () async throws -> Result) async throws -> Result {
        guard !hasTurn else { return try await work() }
        try await enter()
        defer { leave() }
        return try await Self.$passed.withValue(Self.passed.union([ObjectIdentifier(self)])) {
            try await work()
        }
    }

    private func enter() async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                let answer: Swift.Result<Void, any Error>? = state.withLock { state in
                    // Asked under the lock: a handler that came before found nobody to wake, and one that comes after will.
                    guard !Task.isCancelled else { return .failure(CancellationError()) }
                    guard state.isTaken else {
                        state.isTaken = true
                        return .success(())
                    }
                    state.waiters.append((number, continuation))
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func leave() {
        let next = state.withLock { state in
            guard !state.waiters.isEmpty else {
                state.isTaken = false
                return nil as CheckedContinuation<Void, any Error>?
            }
            return state.waiters.removeFirst().continuation
        }
        next?.resume()
    }
}
