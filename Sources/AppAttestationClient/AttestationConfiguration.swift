/// How long an ``AttestationService`` waits, and how often it tries.
public struct AttestationConfiguration: Sendable, Hashable {
    /// How long a caller waits if it gives no deadline; by default 30 seconds.
    public var deadline = Duration.seconds(30)
    /// How often the attestation is tried in a row when it fails in a way that may pass, the first time included; by
    /// default 4, and less than one means one.
    public var maximumAttempts = 4
    /// The longest wait before the second try, by default 500 milliseconds; each further one may be twice as long.
    public var baseDelay = Duration.milliseconds(500)
    /// The longest wait between two tries, by default 60 seconds; if a server asks for more, the
    /// attempts end.
    public var maximumDelay = Duration.seconds(60)
    /// How often to look whether another process has come to its end with the attestation; by default every
    /// 100 milliseconds.
    public var pollInterval = Duration.milliseconds(100)
    /// How long to wait for another process that attests, by default 300 seconds, before the attempt fails in a way
    /// that may pass.
    public var claimDeadline = Duration.seconds(300)

    /// How long a key that has replaced another must have been attested before it may be replaced itself; by default a
    /// day, 86,400 seconds.
    ///
    /// It counts once the backend takes a request that is signed with the key; so no more keys than one are made in such a
    /// time.
    public var replacementInterval = Duration.seconds(86_400)

    /// Makes the default configuration.
    public init() {}

    /// The wait after a number of failures: anything from nothing to the back-off, so that clients that failed together do
    /// not come back together.
    func backOff(after failures: Int, random: Double) -> Duration {
        var longest = min(baseDelay, maximumDelay)
        for _ in 1..<max(failures, 1) where longest < maximumDelay {
            longest = min(longest * 2, maximumDelay)
        }
        return longest * random
    }

    /// The wait before another row of tries, after a number of rows that failed: at least the half of the back-off, since
    /// whoever asks meanwhile gets the failure at once and may ask again at once.
    func pause(after rows: Int, random: Double) -> Duration {
        backOff(after: max(maximumAttempts, 1) + min(rows, 64), random: 0.5 + 0.5 * random)
    }
}
