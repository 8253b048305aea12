/// The tasks that wait for the outcome of an attestation, each until it leaves for a reason of its own.
///
/// A waiter has a number before it waits, so that a deadline or a cancellation that comes in between is not lost.
struct AttestationWaiters {
    typealias Continuation = CheckedContinuation<AttestedKeyReference, any Error>

    private enum Waiter {
        case arriving
        case waiting(Continuation)
        case left(any Error)
    }

    private var waiters: [UInt64: Waiter] = [:]
    private var lastNumber: UInt64 = 0

    /// A number for a task that is about to wait.
    mutating func register() -> UInt64 {
        lastNumber += 1
        waiters[lastNumber] = .arriving
        return lastNumber
    }

    /// Has a task wait.
    ///
    /// - Returns: Why it may not, when it has left already; its continuation was not taken then.
    mutating func wait(_ number: UInt64, _ continuation: Continuation) -> (any Error)? {
        if case .left(let error) = waiters[number] { return error }
        waiters[number] = .waiting(continuation)
        return nil
    }

    /// Takes a task out for a reason of its own.
    ///
    /// - Returns: Its continuation, to be resumed with the error; nil when it does not wait, or not yet.
    mutating func leave(_ number: UInt64, because error: any Error) -> Continuation? {
        switch waiters[number] {
        case nil, .left: return nil
        case .arriving:
            waiters[number] = .left(error)
            return nil
        case .waiting(let continuation):
            waiters[number] = nil
            return continuation
        }
    }

    /// Forgets a task that has its answer.
    mutating func forget(_ number: UInt64) { waiters[number] = nil }

    /// Takes all out that wait.
    mutating func takeAll() -> [Continuation] {
        var continuations: [Continuation] = []
        for (number, waiter) in waiters {
            guard case .waiting(let continuation) = waiter else { continue }
            continuations.append(continuation)
            waiters[number] = nil
        }
        return continuations
    }
}
