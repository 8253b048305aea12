import HTTPMessages

/// A failure that says whether it passes.
struct FakeError: RetryableError, Hashable {
    var isRetryable = true
    var text = ""
}
