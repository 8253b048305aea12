import Locking
public import Timing

/// A bearer token that is replaced when a server no longer takes it; one for all sessions that use it.
///
/// Requests that find it refused wait together for one refresh, and all get its outcome. Outcomes are numbered, and a
/// request carries the number of the last one before it was sent: it shares an outcome that has come since, and only a
/// request that was sent after the last one starts another. So neither a thousand late refusals of an old token nor
/// those of one failed refresh make more than one.
///
/// A refresh cannot wait for itself. What its closure sends, with all that inherits its task-local values, passes by the
/// interceptor without credential and without refresh. A detached task inherits nothing; a request from there would
/// wait for the refresh that waits for it, and the time limit ends both.
public final class RefreshableCredential: Sendable {
    /// The token, and the number of the outcome that it comes from.
    struct Snapshot: Sendable {
        let token: String?
        let generation: Int
    }

    private struct State {
        var token: String?
        /// How many refreshes and replacements there have been.
        var generation = 0
        /// What the last refresh failed with.
        var failure: (any Error)?
        /// The number of the refresh under way, from 1.
        var flight: Int?
        var lastFlight = 0
        var waiters: [Int: CheckedContinuation<Snapshot, any Error>] = [:]
        var lastWaiter = 0

        var snapshot: Snapshot { Snapshot(token: token, generation: generation) }
    }

    @TaskLocal private static var refreshing: Set<ObjectIdentifier> = []

    private let limit: Duration
    private let time: TimeSource
    private let refresh: @Sendable (String?) async throws -> String
    private let state: Mutex<State>

    /// Makes a credential.
    ///
    /// - Parameters:
    ///   - token: The token to begin with; with nil the first request goes without, and its 401 asks for one.
    ///   - limit: How long a refresh may take.
    ///   - time: Where it gets its time.
    ///   - refresh: Given the token that was refused, obtains another one; what it throws reaches all that wait. Best it
    ///     has a session of its own: one that holds this credential would be held by it.
    public init(
        _ token: String? = nil,
        limit: Duration = .seconds(30),
        time: TimeSource = .system,
        refresh: @escaping @Sendable (String?) async throws -> String
    ) {
        self.limit = limit
        self.time = time
        self.refresh = refresh
        state = Mutex(State(token: token))
    }

    /// The token that requests get now.
    public var token: String? { state.withLock { $0.token } }

    /// Sets the token, as after a sign-in, or takes it away.
    ///
    /// A refresh under way is not waited for any more, and what it brings is dropped.
    public func replace(with token: String?) {
        settle { state in
            state.token = token
            state.failure = nil
            return true
        }
    }

    var snapshot: Snapshot { state.withLock { $0.snapshot } }

    /// Whether the current task works for the refresh of this credential.
    var isBeingRefreshedHere: Bool { Self.refreshing.contains(ObjectIdentifier(self)) }

    /// What the first refresh brings that ends after an outcome.
    ///
    /// - Throws: What that refresh failed with; `CancellationError` when the calling task is cancelled, and the refresh
    ///   goes on for the others.
    func refreshed(after generation: Int) async throws -> Snapshot {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                join(continuation, as: waiter, after: generation)
            }
        } onCancel: {
            let continuation = state.withLock { $0.waiters.removeValue(forKey: waiter) }
            continuation?.resume(throwing: CancellationError())
        }
    }

    private func join(
        _ continuation: CheckedContinuation<Snapshot, any Error>,
        as waiter: Int,
        after generation: Int
    ) {
        enum Step {
            case answer(Result<Snapshot, any Error>)
            case wait
            case start(flight: Int, token: String?)
        }
        let step: Step = state.withLock { state in
            // Asked under the lock: a handler that came before found nobody to wake, and one that comes after will.
            guard !Task.isCancelled else { return .answer(.failure(CancellationError())) }
            if state.generation > generation {
                return .answer(state.failure.map(Result.failure) ?? .success(state.snapshot))
            }
            state.waiters[waiter] = continuation
            guard state.flight == nil else { return .wait }
            state.lastFlight += 1
            state.flight = state.lastFlight
            return .start(flight: state.lastFlight, token: state.token)
        }
        switch step {
        case .answer(let result): continuation.resume(with: result)
        case .wait: break
        case .start(let flight, let token): start(flight, replacing: token)
        }
    }

    /// Runs the refresh in a task of its own, which no request's cancellation reaches.
    ///
    /// A refresh that heeds neither time nor cancellation is left behind: those that wait are told all the same.
    private func start(_ flight: Int, replacing token: String?) {
        Task {
            let refreshing = Self.refreshing.union([ObjectIdentifier(self)])
            await Self.$refreshing.withValue(refreshing) {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { self.finish(flight, await self.outcome(replacing: token)) }
                    group.addTask {
                        guard (try? await self.time.sleep(self.limit)) != nil else { return }
                        let error = InterceptorError(
                            .refreshTimedOut,
                            "no new credential within \(self.limit)"
                        )
                        self.finish(flight, .failure(error))
                    }
                    await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    private func outcome(replacing token: String?) async -> Result<String, any Error> {
        do {
            let token = try await refresh(token)
            try BearerScope.check(token)
            return .success(token)
        } catch is CancellationError {
            // A request would take it for its own.
            return .failure(
                InterceptorError(.refreshCancelled, "the refresh of the credential was cancelled")
            )
        } catch {
            return .failure(error)
        }
    }

    private func finish(_ flight: Int, _ result: Result<String, any Error>) {
        settle { state in
            guard state.flight == flight else { return false }
            switch result {
            case .success(let token):
                state.token = token
                state.failure = nil
            case .failure(let error): state.failure = error
            }
            return true
        }
    }

    /// Makes a change that counts as an outcome, and gives it to all that wait; none when the change says no.
    private func settle(_ change: @Sendable (inout State) -> Bool) {
        let settled: (waiters: [CheckedContinuation<Snapshot, any Error>], Result<Snapshot, any Error>)? =
            state.withLock { state in
                guard change(&state) else { return nil }
                state.generation += 1
                state.flight = nil
                let waiters = Array(state.waiters.values)
                state.waiters = [:]
                return (waiters, state.failure.map(Result.failure) ?? .success(state.snapshot))
            }
        guard let (waiters, result) = settled else { return }
        for waiter in waiters { waiter.resume(with: result) }
    }
}
