public import HTTPMessages
public import Timing

/// Sends a request again when it failed in a way that may pass.
///
/// It stands outside the interceptors that add tokens and signatures, so each attempt is attested and signed afresh,
/// and inside ``RedirectInterceptor``, so a retry repeats one hop and not the whole way. A response that is not
/// retried, or no longer, is returned; an error is thrown as it came. A body that is not replayable is sent once.
public struct RetryInterceptor: HTTPInterceptor {
    private let policy: RetryPolicy
    private let budget: RetryBudget
    private let time: TimeSource
    private let random: @Sendable () -> Double

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - policy: What is retried, how often and when.
    ///   - budget: How many retries all requests may have together.
    ///   - time: Where it gets its time.
    ///   - random: Numbers in 0..<1 for the jitter.
    public init(
        policy: RetryPolicy = RetryPolicy(),
        budget: RetryBudget = RetryBudget(),
        time: TimeSource = .system,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.policy = policy
        self.budget = budget
        self.time = time
        self.random = random
    }

    /// Sends the request on, and again after a wait where the policy and the budget allow it.
    ///
    /// - Throws: What the last attempt threw; `CancellationError` when the task is cancelled while it waits.
    public func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        budget.deposit()
        let start = time.uptime()
        var attempt = 1
        while true {
            let outcome: Result<HTTPResponse, any Error>
            do {
                outcome = .success(try await next(limited(request, since: start)))
            } catch {
                outcome = .failure(error)
            }
            guard attempt < policy.maximumAttempts, policy.canRepeat(request),
                let delay = delay(after: outcome, attempt: attempt), hasTime(for: delay, since: start),
                budget.withdraw()
            else { return try outcome.get() }
            try await time.sleep(delay)
            guard hasTime(for: .zero, since: start) else { return try outcome.get() }
            attempt += 1
            ExchangeCounts.current?.add(.retry)
        }
    }

    /// The wait before the next attempt, or nil when there shall be none.
    private func delay(after outcome: Result<HTTPResponse, any Error>, attempt: Int) -> Duration? {
        let backOff = { policy.backOff(after: attempt, random: random()) }
        switch outcome {
        case .success(let response):
            guard policy.statuses.contains(response.status.code) else { return nil }
            guard let wish = RetryAfter.delay(in: response, now: time.date()) else { return backOff() }
            // The jitter is added to what was asked for: all clients were told the same.
            return wish <= policy.maximumRetryAfter ? wish + backOff() : nil
        case .failure(let error):
            guard !(error is CancellationError), !Task.isCancelled, policy.isRetryable(error) else {
                return nil
            }
            return backOff()
        }
    }

    private func hasTime(for delay: Duration, since start: Duration) -> Bool {
        policy.totalLimit.map { time.uptime() - start + delay < $0 } ?? true
    }

    private func limited(_ request: HTTPRequest, since start: Duration) -> HTTPRequest {
        guard let limit = policy.totalLimit, let timeout = request.options.timeout else { return request }
        var request = request
        // One that begins too late is to run out of time: a limit that is not positive is refused.
        request.options.timeout = min(timeout, max(limit - (time.uptime() - start), .milliseconds(1)))
        return request
    }
}
