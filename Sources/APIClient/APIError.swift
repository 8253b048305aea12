public import HTTPMessages
public import HTTPTransport

/// Why a call of an API gave no value.
///
/// ``code`` says which step failed, and the detail of that step stands beside it. The description never holds a body, a
/// field value, a token or a query; what the server sent is in the details for whoever asks.
public struct APIError: RetryableError, Sendable, CustomStringConvertible {
    /// Which step failed.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// A setting that cannot be used: a base URL, a pin, a certificate file, a limit.
        public static let invalidConfiguration = Code(description: "invalidConfiguration")
        /// A path or URL that is malformed or leaves the base URL; nothing was sent.
        public static let invalidURL = Code(description: "invalidURL")
        /// A header that a message cannot hold, or that is named twice; nothing was sent.
        public static let invalidHeader = Code(description: "invalidHeader")
        /// Parameters that cannot be encoded; nothing was sent.
        public static let encoding = Code(description: "encoding")
        /// There is no complete response: the transport, an interceptor or a hook of the app failed;
        /// ``APIError/underlying`` is its error.
        public static let transport = Code(description: "transport")
        /// The server's keys are not the pinned ones; ``APIError/pinning`` says more.
        public static let pinning = Code(description: "pinning")
        /// The protection service stopped the request with a `ProtectionError`, which is ``APIError/underlying``.
        public static let protection = Code(description: "protection")
        /// The response has a status that does not count as valid; ``APIError/status`` says more.
        public static let status = Code(description: "status")
        /// The content of the response is not what was asked for; ``APIError/decoding`` says where.
        public static let decoding = Code(description: "decoding")
        /// The next page cannot be asked for: a loop, another origin, a limit, a malformed link.
        public static let pagination = Code(description: "pagination")
        /// The file of a cache cannot be used.
        public static let cache = Code(description: "cache")
        /// The task was cancelled.
        public static let cancelled = Code(description: "cancelled")
    }

    /// Which step failed.
    public let code: Code
    /// One sentence for a person, free of secrets.
    public let message: String
    /// The response, where its status was at fault.
    public let status: Status?
    /// The place of the fault in a content that was not decoded.
    public let decoding: DecodingFailure?
    /// The host, the pins and the keys that were seen, where the pins did not fit.
    public let pinning: PinningReport?
    /// The error that caused this one.
    public let underlying: (any Error)?

    /// Makes an error; a service of your own throws one.
    public init(
        _ code: Code,
        _ message: String,
        status: Status? = nil,
        decoding: DecodingFailure? = nil,
        pinning: PinningReport? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.decoding = decoding
        self.pinning = pinning
        self.underlying = underlying
    }

    /// Whether the same request may succeed later, as the error below says.
    public var isRetryable: Bool { (underlying as? any RetryableError)?.isRetryable == true }

    /// The code, the sentence and the details that are free of secrets.
    public var description: String {
        var text = "\(code): \(message)"
        if let status { text += ", \(status)" }
        if let decoding { text += ", \(decoding)" }
        switch underlying {
        case let error as TransportError: text += " (\(error))"
        case let error as HTTPMessageError: text += " (\(error))"
        // Others may show what was sent or received.
        case let error?: text += " (\(type(of: error)))"
        case nil: break
        }
        return text
    }
}
