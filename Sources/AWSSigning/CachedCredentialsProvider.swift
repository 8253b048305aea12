public import FoundationEssentials
internal import Locking
public import Timing

/// Keeps what another provider gives, renews it before its end, and asks once for many callers.
///
/// In the last minutes of their life the credentials are still given while one task renews them; in the last minute
/// callers wait for the new ones. When renewal fails the old ones serve until they end, and are given at once for the 30
/// seconds before the next try. A caller that is cancelled stops waiting; the others go on. A source that does not answer in
/// time has failed.
///
/// Where there are no credentials, or they have ended, a failure is remembered and thrown again: for 1 to 2 seconds at
/// first, longer each time it comes again, for 15 to 30 at the most. So a source in trouble is not asked for each request, and
/// nobody waits for it again meanwhile.
///
/// The end of credentials is a date of the service's clock. ``SigV4Interceptor`` asks with that date, as far as it has learnt
/// it, and new credentials are given whatever this machine's clock says of them.
public final class CachedCredentialsProvider: AWSCredentialsProvider {
    /// How long before the end credentials are renewed while they are still given.
    public static let renewalWindow: Duration = .seconds(300)
    /// How long before the end they are no longer given without a try to renew them.
    public static let waitingWindow: Duration = .seconds(60)
    private static let backOff: Duration = .seconds(30)

    private struct Waiter {
        let continuation: CheckedContinuation<AWSCredentials, any Error>
        /// What the service's clock showed when it began to wait.
        let date: Date
    }

    private struct Failure {
        let error: any Error
        /// How many there were since credentials came.
        let count: Int
        /// When the source is asked again for callers that no credentials are good for.
        let retryAt: Duration
        /// When the source is asked again for callers that the old ones are still good for.
        let renewAt: Duration
    }

    private enum Answer {
        case kept(AWSCredentials)
        case keptAndDue(AWSCredentials, epoch: UInt64)
        case failed(any Error)
        case none
    }

    private struct State {
        var current: AWSCredentials?
        var isFetching = false
        /// Counts what was dropped; a fetch that began before is of no account.
        var epoch: UInt64 = 0
        /// What came of the last try, unless credentials did.
        var failure: Failure?
        /// When ``current`` came.
        var fetchedAt: Duration?
        var waiters: [UInt64: Waiter] = [:]
        var lastWaiter: UInt64 = 0
    }

    private let base: any AWSCredentialsProvider
    private let limit: Duration
    private let time: TimeSource
    private let state = Mutex(State())

    /// Puts a cache in front of a provider.
    ///
    /// - Parameters:
    ///   - base: The provider.
    ///   - limit: How long the provider may take; it is left behind then, and has failed.
    ///   - time: Where the cache gets its time.
    public init(
        _ base: any AWSCredentialsProvider,
        limit: Duration = .seconds(60),
        time: TimeSource = .system
    ) {
        self.base = base
        self.limit = limit
        self.time = time
    }

    /// The credentials, from the cache while they are good.
    ///
    /// - Throws: What the provider throws, to all who wait and to those who come shortly after; ``AWSSigningError`` with code
    ///   `endpointFailed` when it takes too long or gives up by a `CancellationError`; `CancellationError` to a caller that was
    ///   cancelled, and to no other.
    public func credentials() async throws -> AWSCredentials { try await credentials(at: time.date()) }

    /// The credentials, from the cache while they are good by the service's clock.
    ///
    /// - Parameter date: What that clock shows.
    /// - Returns: The credentials.
    /// - Throws: As ``credentials()``.
    public func credentials(at date: Date) async throws -> AWSCredentials {
        switch state.withLock({ lookUp(in: &$0, at: date) }) {
        case .kept(let credentials): return credentials
        case .keptAndDue(let credentials, let epoch):
            Task { await fetch(epoch, at: date) }
            return credentials
        case .failed(let error): throw error
        case .none: return try await waitForNew(at: date)
        }
    }

    /// What can be given at once; a caller that is told of a due renewal has to start it.
    private func lookUp(in state: inout State, at date: Date) -> Answer {
        let uptime = time.uptime()
        let known = state.failure.flatMap { uptime < $0.retryAt ? Answer.failed($0.error) : nil } ?? .none
        guard let current = state.current else { return known }
        guard let life = Self.life(of: current, at: date) else { return .kept(current) }
        let mayAsk = state.failure.map { $0.renewAt <= uptime } ?? true
        guard life > Self.waitingWindow else {
            // The source has no better ones than those that it has just given, whatever the date.
            if state.fetchedAt.map({ uptime < $0 + Self.backOff }) == true { return .kept(current) }
            guard life > .zero else { return known }
            return mayAsk ? .none : .kept(current)
        }
        guard life <= Self.renewalWindow, mayAsk, !state.isFetching else { return .kept(current) }
        state.isFetching = true
        return .keptAndDue(current, epoch: state.epoch)
    }

    /// Drops what is kept and what is being fetched; who waits for that gets what is fetched from now on.
    public func invalidate() {
        invalidate { _ in true }
    }

    /// Drops what is kept after a service has refused it, unless others have come since.
    ///
    /// - Parameter refused: The credentials that the service refused.
    public func invalidate(_ refused: AWSCredentials) {
        invalidate { current in
            guard let current else { return false }
            return current.accessKeyID == refused.accessKeyID
                && current.secretAccessKey == refused.secretAccessKey
                && current.sessionToken == refused.sessionToken
        }
    }

    private func invalidate(if isRefused: (AWSCredentials?) -> Bool) {
        let epoch: UInt64? = state.withLock { state in
            guard isRefused(state.current) else { return nil }
            state.current = nil
            state.failure = nil
            state.epoch += 1
            state.isFetching = !state.waiters.isEmpty
            return state.isFetching ? state.epoch : nil
        }
        if let epoch { Task { await fetch(epoch, at: time.date()) } }
    }

    /// How long credentials are still good; nil for those that do not end.
    private static func life(of credentials: AWSCredentials, at date: Date) -> Duration? {
        credentials.expiration.map { .seconds($0.timeIntervalSince(date)) }
    }

    private func waitForNew(at date: Date) async throws -> AWSCredentials {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                enqueue(Waiter(continuation: $0, date: date), as: id)
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation
                .resume(throwing: CancellationError())
        }
    }

    private func enqueue(_ waiter: Waiter, as id: UInt64) {
        let (answer, toStart): (Result<AWSCredentials, any Error>?, UInt64?) = state.withLock { state in
            // Asked under the lock: a handler that came before found nobody to wake.
            guard !Task.isCancelled else { return (.failure(CancellationError()), nil) }
            // Looked up again: what was being fetched at the first look may have come since.
            switch lookUp(in: &state, at: waiter.date) {
            case .kept(let credentials): return (.success(credentials), nil)
            case .keptAndDue(let credentials, let epoch): return (.success(credentials), epoch)
            case .failed(let error): return (.failure(error), nil)
            case .none: break
            }
            state.waiters[id] = waiter
            defer { state.isFetching = true }
            return (nil, state.isFetching ? nil : state.epoch)
        }
        if let answer { waiter.continuation.resume(with: answer) }
        if let toStart { Task { await fetch(toStart, at: waiter.date) } }
    }

    private func fetch(_ epoch: UInt64, at date: Date) async {
        let result = await answer(at: date)
        let (waiters, last): ([Waiter], AWSCredentials?) = state.withLock { state in
            // What was dropped meanwhile is fetched anew by others.
            guard state.epoch == epoch else { return ([], nil) }
            switch result {
            case .success(let new):
                state.current = new
                state.failure = nil
                state.fetchedAt = time.uptime()
            case .failure(let error): state.failure = failure(error, after: state.failure?.count ?? 0)
            }
            state.isFetching = false
            defer { state.waiters = [:] }
            return (Array(state.waiters.values), state.current)
        }
        for waiter in waiters {
            if case .failure = result, let last, Self.life(of: last, at: waiter.date) ?? .seconds(1) > .zero {
                waiter.continuation.resume(returning: last)
            } else {
                waiter.continuation.resume(with: result)
            }
        }
    }

    private func failure(_ error: any Error, after count: Int) -> Failure {
        let uptime = time.uptime()
        return Failure(
            error: error,
            count: count + 1,
            retryAt: uptime + FailureBackOff.delay(after: count, random: .random(in: 0..<1)),
            renewAt: uptime + Self.backOff
        )
    }

    /// Asks the provider, for no longer than the limit.
    private func answer(at date: Date) async -> Result<AWSCredentials, any Error> {
        do {
            let answer = try await Deadline.value(within: limit, time: time) { [base] in
                await Self.ask(base, at: date)
            }
            guard let answer else {
                throw AWSSigningError(.endpointFailed, "the source of credentials does not answer in time")
            }
            return .success(try answer.get())
        } catch is CancellationError {
            // Nobody who waits was cancelled, so nobody shall take it for that.
            return .failure(AWSSigningError(.endpointFailed, "the source of credentials has given up"))
        } catch {
            return .failure(error)
        }
    }

    private static func ask(
        _ base: any AWSCredentialsProvider,
        at date: Date
    ) async -> Result<AWSCredentials, any Error> {
        do { return .success(try await base.credentials(at: date)) } catch { return .failure(error) }
    }
}
