import HTTPMessages

/// How long an exchange and its parts may take.
struct TransferLimits: Sendable {
    private let start = ContinuousClock.now
    private let whole: Duration
    /// Whether the limit holds for the content of a streamed response too.
    private let isExplicit: Bool
    private let firstByte: Duration?
    let idle: Duration
    /// Whether silence counts before the head too.
    private let isIdleExplicit: Bool

    /// - Throws: ``TransportError`` with code `invalidConfiguration` when a limit of the request is not positive.
    init(_ options: HTTPRequestOptions, _ configuration: CurlSession.Configuration) throws(TransportError) {
        for (limit, name) in [(options.timeout, "timeout"), (options.idleTimeout, "idle timeout")] {
            guard limit.map({ $0 > .zero }) ?? true else {
                throw TransportError(.invalidConfiguration, "the \(name) of the request is not positive")
            }
        }
        whole = options.timeout ?? configuration.timeout
        isExplicit = options.timeout != nil
        firstByte = configuration.firstByteTimeout
        idle = options.idleTimeout ?? configuration.idleTimeout
        isIdleExplicit = options.idleTimeout != nil
    }

    /// When the first limit passes.
    ///
    /// - Parameters:
    ///   - isSending: Whether there is a connection for the request.
    ///   - hasHead: Whether the head of the response is complete.
    ///   - isStreamed: Whether the caller has the head and reads the content.
    ///   - lastActivity: When something last came or went; nil while the reader makes the transfer wait.
    /// - Returns: The instant; nil when no limit holds any more.
    func expiry(
        isSending: Bool,
        hasHead: Bool,
        isStreamed: Bool,
        lastActivity: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant? {
        var first = isExplicit || !isStreamed || !hasHead ? start + whole : nil
        if !hasHead, let firstByte { first = min(first ?? start + firstByte, start + firstByte) }
        // Before the head, silence is what the session's other limits are about.
        if hasHead || isIdleExplicit && isSending, let lastActivity {
            first = min(first ?? lastActivity + idle, lastActivity + idle)
        }
        return first
    }
}
