internal import FoundationEssentials
internal import Locking
public import Timing

/// Keeps what another provider gives, renews it before its end, and asks once for many callers.
///
/// In the last minutes of their life the credentials are still given while one task renews them; in the last minute
/// callers wait for the new ones. When renewal fails the old ones serve until they end. A caller that is cancelled stops
/// waiting; the others go on.
public final class CachedCredentialsProvider: AWSCredentialsProvider {
    /// How long before the end credentials are renewed while they are still given.
    public static let renewalWindow: Duration = .seconds(300)
    /// How long before the end they are no longer given without a try to renew them.
    public static let waitingWindow: Duration = .seconds(60)
    private static let backOff: Duration = .seconds(30)

    private typealias Waiter = CheckedContinuation<AWSCredentials, any Error>

    private enum Answer {
        case kept(AWSCredentials)
        case keptAndDue(AWSCredentials)
        case none
    }

    private struct State {
        var current: AWSCredentials?
        var isFetching = false
        var nextTry: Duration?
        var waiters: [UInt64: Waiter] = [:]
        var lastWaiter: UInt64 = 0
    }

    private let base: any AWSCredentialsProvider
    private let time: TimeSource
    private let state = Mutex(State())

    /// Puts a cache in front of a provider.
    public init(_ base: any AWSCredentialsProvider, time: TimeSource = .system) {
        self.base = base
        self.time = time
    }

    /// The credentials, from the cache while they are good.
    ///
    /// - Throws: What the provider throws, to all who wait; `CancellationError` to a caller that was cancelled.
    public func credentials() async throws -> AWSCredentials {
        switch state.withLock({ lookUp(in: &$0) }) {
        case .kept(let credentials): return credentials
        case .keptAndDue(let credentials):
            Task { await fetch() }
            return credentials
        case .none: return try await waitForNew()
        }
    }

    /// What can be given at once; a caller that is told of a due renewal has to start it.
    private func lookUp(in state: inout State) -> Answer {
        guard let current = state.current else { return .none }
        guard let life = life(of: current) else { return .kept(current) }
        guard life > Self.waitingWindow else { return .none }
        let isDue = life <= Self.renewalWindow && state.nextTry.map { $0 <= time.uptime() } ?? true
        guard isDue, !state.isFetching else { return .kept(current) }
        state.isFetching = true
        return .keptAndDue(current)
    }

    /// Drops what is kept, after a service has refused it.
    public func invalidate() {
        state.withLock { state in
            state.current = nil
            state.nextTry = nil
        }
    }

    /// How long credentials are still good; nil for those that do not end.
    private func life(of credentials: AWSCredentials) -> Duration? {
        credentials.expiration.map { .seconds($0.timeIntervalSince(time.date())) }
    }

    private func waitForNew() async throws -> AWSCredentials {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enqueue($0, as: id) }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }

    private func enqueue(_ continuation: Waiter, as id: UInt64) {
        let (answer, mustStart): (Result<AWSCredentials, any Error>?, Bool) = state.withLock { state in
            // Asked under the lock: a handler that came before found nobody to wake.
            guard !Task.isCancelled else { return (.failure(CancellationError()), false) }
            // Looked up again: what was being fetched at the first look may have come since.
            switch lookUp(in: &state) {
            case .kept(let credentials): return (.success(credentials), false)
            case .keptAndDue(let credentials): return (.success(credentials), true)
            case .none: break
            }
            state.waiters[id] = continuation
            defer { state.isFetching = true }
            return (nil, !state.isFetching)
        }
        if let answer { continuation.resume(with: answer) }
        if mustStart { Task { await fetch() } }
    }

    private func fetch() async {
        let result: Result<AWSCredentials, any Error>
        do {
            let new = try await base.credentials()
            if let life = life(of: new), life <= .zero {
                throw AWSSigningError(.credentialsExpired, "the source gives credentials that have ended")
            }
            result = .success(new)
        } catch {
            result = .failure(error)
        }
        let (waiters, answer) = state.withLock { state -> ([Waiter], Result<AWSCredentials, any Error>) in
            var answer = result
            switch result {
            case .success(let new):
                state.current = new
                state.nextTry = nil
            case .failure:
                state.nextTry = time.uptime() + Self.backOff
                if let current = state.current, life(of: current).map({ $0 > .zero }) ?? true {
                    answer = .success(current)
                }
            }
            state.isFetching = false
            defer { state.waiters = [:] }
            return (Array(state.waiters.values), answer)
        }
        for waiter in waiters { waiter.resume(with: answer) }
    }
}
