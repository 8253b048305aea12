public import FoundationEssentials

/// Where a part of the package gets its time, so that a test can give it any.
///
/// Both clocks are needed: a token's expiry is a date, and a wall clock may jump; how long something has lasted is
/// read from one that cannot.
public struct TimeSource: Sendable {
    /// The date and time of day.
    public let date: @Sendable () -> Date
    /// The time since an arbitrary start; it never goes back.
    public let uptime: @Sendable () -> Duration
    /// Waits for a duration, or throws `CancellationError` when the task is cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void

    /// Makes a time source of three functions.
    public init(
        date: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.date = date
        self.uptime = uptime
        self.sleep = sleep
    }

    /// The clocks of the machine.
    public static let system: TimeSource = {
        let start = ContinuousClock.now
        return TimeSource(
            date: { Date() },
            uptime: { ContinuousClock.now - start },
            sleep: { try await Task.sleep(for: $0, clock: .continuous) }
        )
    }()

    /// The date as whole seconds since 1970, rounded down: the `NumericDate` of RFC 7519, section 2.
    public var secondsSince1970: Int64 { Int64(date().timeIntervalSince1970.rounded(.down)) }
}
