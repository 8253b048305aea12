import Locking

/// A door that is closed until a test opens it; who comes is counted.
final class TestGate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        var arrivals = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, watchers) = state.withLock { state in
                state.arrivals += 1
                let watchers = state.watchers.filter { $0.count <= state.arrivals }
                state.watchers.removeAll { $0.count <= state.arrivals }
                if !state.isOpen { state.waiters.append(continuation) }
                return (state.isOpen, watchers)
            }
            for watcher in watchers { watcher.continuation.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Waits until so many have come.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.arrivals < count else { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
