/// An error that knows whether the same request may succeed later.
///
/// What retries a request need not know the transport whose error it judges.
public protocol RetryableError: Error {
    /// Whether another try may not meet the same failure; it says nothing of what the server has done already.
    var isRetryable: Bool { get }
}
