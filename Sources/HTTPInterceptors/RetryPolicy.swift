import HTTPMessages

/// Which requests ``RetryInterceptor`` sends again, how often and after what wait.
public struct RetryPolicy: Sendable {
    /// How often a request is sent at most, the first time included; by default 3, and less than one means one.
    public var maximumAttempts = 3
    /// The statuses that another try may not meet; by default 408, 429, 502, 503 and 504.
    ///
    /// 500 is not among them: it is as often a fault that stays as one that passes.
    public var statuses: Set<Int> = [408, 429, 502, 503, 504]
    /// Whether methods that are not idempotent are sent again as well (RFC 9110, section 9.2.2); by default not.
    ///
    /// Without it they are only when the request has an `Idempotency-Key`, by which the server knows the second one.
    public var repeatsAllMethods = false
    /// The longest wait before the first retry, by default 200 milliseconds; each further one may wait twice as long.
    public var baseDelay = Duration.milliseconds(200)
    /// The longest wait that is not asked for by the server; by default 10 seconds.
    public var maximumDelay = Duration.seconds(10)
    /// The longest wait that a server may ask for, by default 60 seconds; when it asks for more, its response is
    /// returned at once, because to ask earlier is what it does not want.
    public var maximumRetryAfter = Duration.seconds(60)
    /// How long a request may take with all its retries, by default 120 seconds; nil sets no limit.
    ///
    /// No retry starts that would begin after it, and a timeout of the request is shortened to what is left. A request
    /// without a timeout keeps the session's for its last attempt.
    public var totalLimit: Duration? = .seconds(120)
    /// Whether a request that failed with an error may be sent again; by default one whose error is a
    /// `RetryableError` that says so, unless the request has waited in vain for a network already.
    ///
    /// `CancellationError` is never asked about.
    public var isRetryable: @Sendable (any Error) -> Bool = { error in
        (error as? any RetryableError)?.isRetryable == true
            && (error as? InterceptorError)?.code != .notConnected
    }

    /// Makes the default policy: three attempts of idempotent requests, within two minutes.
    public init() {}

    /// Whether a request may be sent a second time at all.
    func canRepeat(_ request: HTTPRequest) -> Bool {
        request.body?.isReplayable != false
            && (repeatsAllMethods || request.method.isIdempotent
                || request.fields.contains("Idempotency-Key"))
    }

    /// The wait after an attempt, numbered from 1: anything from nothing to the back-off, so that clients that failed
    /// together do not come back together.
    func backOff(after attempt: Int, random: Double) -> Duration {
        var longest = min(baseDelay, maximumDelay)
        for _ in 1..<max(attempt, 1) where longest < maximumDelay { longest = min(longest * 2, maximumDelay) }
        return longest * random
    }
}
