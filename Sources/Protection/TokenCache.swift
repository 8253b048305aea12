import FoundationEssentials
import JSONWebTokens
import Locking
import Timing

/// Keeps tokens between requests, so that the fetcher is asked as rarely as possible and never twice at once.
///
/// A valid token is returned under one lock. From about half of its life on it is renewed in the background, while
/// the old one serves until it ends. Callers that find no token wait together for one fetch; one that is cancelled
/// leaves the others alone. A failed fetch is remembered for 1 to 30 seconds, longer each time, so that an outage is
/// not answered with a storm. A token ends at its date or when its life has passed by a clock that cannot jump,
/// whichever comes first.
final class TokenCache: Sendable {
    private struct Key: Hashable {
        let audience: String
        let dataHash: [UInt8]?
    }

    private struct Token {
        let result: FetchResult
        let expiresAt: Date
        let endsAt: Duration
        let refreshAt: Duration
    }

    private struct Failure {
        let result: FetchResult
        let count: Int
        let retryAt: Duration
    }

    private struct Slot {
        var token: Token?
        var failure: Failure?
        var isFetching = false
        var waiters: [UInt64: CheckedContinuation<FetchResult, any Error>] = [:]
    }

    private struct State {
        var slots: [Key: Slot] = [:]
        var lastWaiter: UInt64 = 0
    }

    private enum Answer {
        case stored(FetchResult)
        case storedAndDue(FetchResult)
        case none
    }

    private let fetcher: any TokenFetcher
    private let time: TimeSource
    private let fetchLimit: Duration
    private let random: @Sendable () -> Double
    private let didFetch: @Sendable (FetchResult) -> Void
    private let state = Mutex(State())

    /// How many audiences and bindings are kept; a server that binds to its users' credentials has many.
    private static let maximumSlots = 4096

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - fetcher: Where tokens come from.
    ///   - time: Where the cache gets its time.
    ///   - fetchLimit: How long one fetch may take before its callers are told that the network is poor.
    ///   - random: Numbers in 0..<1 for the jitter.
    ///   - didFetch: Called once after each real fetch.
    init(
        fetcher: any TokenFetcher,
        time: TimeSource,
        fetchLimit: Duration,
        random: @escaping @Sendable () -> Double,
        didFetch: @escaping @Sendable (FetchResult) -> Void
    ) {
        self.fetcher = fetcher
        self.time = time
        self.fetchLimit = fetchLimit
        self.random = random
        self.didFetch = didFetch
    }

    /// The token for a request, stored or fetched.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled while it waits.
    func result(for request: TokenRequest) async throws -> FetchResult {
        let key = Key(audience: request.audience, dataHash: request.dataHash)
        switch state.withLock({ lookUp(key, in: &$0) }) {
        case .stored(let result): return result
        case .storedAndDue(let result):
            fetch(key, request)
            return result
        case .none: return try await wait(for: key, request)
        }
    }

    /// What can be answered at once; a caller that is told of a due renewal has to start it.
    private func lookUp(_ key: Key, in state: inout State) -> Answer {
        guard let slot = state.slots[key] else { return .none }
        let uptime = time.uptime()
        if let token = slot.token, uptime < token.endsAt, time.date() < token.expiresAt {
            let isDue =
                uptime >= token.refreshAt && uptime >= slot.failure?.retryAt ?? .zero && !slot.isFetching
            guard isDue else { return .stored(token.result) }
            state.slots[key]?.isFetching = true
            return .storedAndDue(token.result)
        }
        if let failure = slot.failure, uptime < failure.retryAt { return .stored(failure.result) }
        return .none
    }

    private func wait(for key: Key, _ request: TokenRequest) async throws -> FetchResult {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(continuation, as: waiter, for: key, request)
            }
        } onCancel: {
            let continuation = state.withLock { $0.slots[key]?.waiters.removeValue(forKey: waiter) }
            continuation?.resume(throwing: CancellationError())
        }
    }

    private func enqueue(
        _ continuation: CheckedContinuation<FetchResult, any Error>,
        as waiter: UInt64,
        for key: Key,
        _ request: TokenRequest
    ) {
        let (outcome, isFirst): (Result<FetchResult, any Error>?, Bool) = state.withLock { state in
            // Asked under the lock: a handler that came before found nothing to remove, and one that comes after will.
            guard !Task.isCancelled else { return (.failure(CancellationError()), false) }
            switch lookUp(key, in: &state) {
            case .stored(let result): return (.success(result), false)
            case .storedAndDue(let result): return (.success(result), true)
            case .none: break
            }
            makeRoom(for: key, in: &state)
            let isFirst = state.slots[key]?.isFetching != true
            state.slots[key, default: Slot()].waiters[waiter] = continuation
            state.slots[key]?.isFetching = true
            return (nil, isFirst)
        }
        if let outcome { continuation.resume(with: outcome) }
        if isFirst { fetch(key, request) }
    }

    /// Forgets what has ended, and if that is little, arbitrary slots that nobody waits for: an eighth at a time, so
    /// that a full cache does not look through all its slots for each new one.
    private func makeRoom(for key: Key, in state: inout State) {
        guard state.slots.count >= Self.maximumSlots, state.slots[key] == nil else { return }
        let uptime = time.uptime()
        state.slots = state.slots.filter { _, slot in
            slot.isFetching || uptime < max(slot.token?.endsAt ?? .zero, slot.failure?.retryAt ?? .zero)
        }
        let excess = state.slots.count - Self.maximumSlots / 8 * 7
        guard excess > 0 else { return }
        for key in state.slots.lazy.filter({ !$0.value.isFetching }).prefix(excess).map(\.key) {
            state.slots[key] = nil
        }
    }

    private func fetch(_ key: Key, _ request: TokenRequest) {
        Task {
            let fetched = try? await Deadline.value(within: fetchLimit, time: time) { [fetcher] in
                await fetcher.fetchToken(request).checked()
            }
            let result =
                fetched
                ?? FetchResult(status: .poorNetwork, detail: "the token fetcher did not answer in time")
            didFetch(result)
            finish(key, with: result)
        }
    }

    private func finish(_ key: Key, with result: FetchResult) {
        let waiters = state.withLock { state in
            var slot = state.slots[key, default: Slot()]
            let waiters = slot.waiters.values
            slot.waiters = [:]
            slot.isFetching = false
            if result.status == .success, !result.token.isEmpty {
                slot.failure = nil
                slot.token = token(for: result)
            } else {
                slot.failure = failure(for: result, after: slot.failure?.count ?? 0)
            }
            state.slots[key] = slot
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    /// What is kept of a token, by a clock that may be wrong.
    ///
    /// One that this machine's clock holds for ended already may still be good for the server's: it is used, for
    /// one second, so that a wrong clock causes one fetch a second and not one a request. By a clock that is slow it would
    /// seem good for too long: it has no more life than it says itself.
    private func token(for result: FetchResult) -> Token? {
        guard let expiresAt = result.expiresAt else { return nil }
        let uptime = time.uptime()
        let life = min(expiresAt.timeIntervalSince(time.date()), Self.statedLife(of: result.token))
        guard life > 0 else {
            return Token(
                result: result,
                expiresAt: .distantFuture,
                endsAt: uptime + .seconds(1),
                refreshAt: uptime + .seconds(1)
            )
        }
        return Token(
            result: result,
            expiresAt: expiresAt,
            endsAt: uptime + .seconds(life),
            refreshAt: uptime + .seconds(life * (0.4 + 0.2 * random()))
        )
    }

    /// The seconds from `iat` to `exp`; a year at most, and for a token that does not say both.
    private static func statedLife(of token: String) -> Double {
        let longest: Double = 365 * 86_400
        guard let claims = try? UnverifiedToken(parsing: token).unverifiedClaims, let start = claims.issuedAt,
            let end = claims.expiration, end > start
        else { return longest }
        return min(Double(end - start), longest)
    }

    private func failure(for result: FetchResult, after count: Int) -> Failure {
        let delay = FailureBackOff.delay(after: count, random: random())
        return Failure(result: result, count: count + 1, retryAt: time.uptime() + delay)
    }
}
