public import HTTPMessages

/// Why an interceptor stopped a request before or instead of sending it.
///
/// What a closure of the app throws is passed on unwrapped and is not one of these. The description holds no
/// credential, path or query.
public struct InterceptorError: RetryableError, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// There was no network for as long as a request may wait for one.
        public static let notConnected = Code(description: "notConnected")
        /// A credential that is not a bearer token (RFC 6750, section 2.1).
        public static let invalidCredential = Code(description: "invalidCredential")
        /// The refresh of a credential was cancelled by the app, not by the request.
        public static let refreshCancelled = Code(description: "refreshCancelled")
        /// The refresh of a credential took longer than it may.
        public static let refreshTimedOut = Code(description: "refreshTimedOut")
    }

    /// What was wrong.
    public let code: Code
    /// One sentence for a person, free of secrets.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Whether the same request may succeed later: when the network or the refresh of a credential was only too slow.
    public var isRetryable: Bool { code == .notConnected || code == .refreshTimedOut }

    /// The code and the sentence.
    public var description: String { "\(code): \(message)" }
}
