import Encodings
public import HTTPMessages

/// Why there is no complete response.
///
/// It names the host and the step, never the path, the query, a field or an octet of the content.
public struct TransportError: RetryableError, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// A setting of the session that cannot be used.
        public static let invalidConfiguration = Code(description: "invalidConfiguration")
        /// A field that belongs to the transport: the framing of the message or the state of the connection.
        public static let reservedField = Code(description: "reservedField")
        /// A request that the transport cannot send as asked.
        public static let unsupported = Code(description: "unsupported")
        /// The transport's own parser reads another scheme, host or port in the URL; nothing was sent.
        public static let targetMismatch = Code(description: "targetMismatch")
        /// The host's name has no address.
        public static let resolveFailed = Code(description: "resolveFailed")
        /// The host cannot be reached or refuses the connection.
        public static let connectFailed = Code(description: "connectFailed")
        /// The TLS handshake failed for another reason than the certificate.
        public static let tlsFailed = Code(description: "tlsFailed")
        /// The certificate does not lead to a trusted root, is not valid now, or names another host.
        public static let certificateNotTrusted = Code(description: "certificateNotTrusted")
        /// No key of the server's chain is pinned, or the host is pinned to none; ``TransportError/pinning`` says more.
        public static let pinningFailed = Code(description: "pinningFailed")
        /// The content of the request cannot be read, or has another length than it was told.
        public static let unreadableContent = Code(description: "unreadableContent")
        /// The file of a download cannot be written.
        public static let fileFailed = Code(description: "fileFailed")
        /// The proxy takes no connection, or refuses the tunnel.
        public static let proxyFailed = Code(description: "proxyFailed")
        /// A time limit passed; ``TransportError/phase`` tells where.
        public static let timedOut = Code(description: "timedOut")
        /// The peer closed the connection before the response was complete.
        public static let connectionClosed = Code(description: "connectionClosed")
        /// The connection broke while octets were sent or received.
        public static let connectionFailed = Code(description: "connectionFailed")
        /// The response is not HTTP as it should be.
        public static let malformedResponse = Code(description: "malformedResponse")
        /// The head or the content of the response is larger than the session allows.
        public static let responseTooLarge = Code(description: "responseTooLarge")
        /// The session was closed before the response was complete.
        public static let sessionClosed = Code(description: "sessionClosed")
        /// The transport's library failed: it is out of memory or was used wrongly.
        public static let internalError = Code(description: "internalError")
    }

    /// How far an exchange had come.
    public enum Phase: String, Sendable, Hashable {
        /// Waiting for a free connection, or for the addresses of the host.
        case resolving
        /// Waiting for the host to take the connection.
        case connecting
        /// In the TLS handshake.
        case securing
        /// The request is being sent, or the first octet of the response is awaited.
        case waiting
        /// The response is coming in.
        case receiving
    }

    /// What was wrong.
    public let code: Code
    /// One sentence for a person, free of secrets.
    public let message: String
    /// The host of the request, as its target gives it.
    public let host: String?
    /// How far the exchange had come, where it had begun; up to `securing` the server has seen nothing of the request.
    public let phase: Phase?
    /// The error number of libcurl, where it found the fault.
    public let curlCode: Int32?
    /// The operating system's error number, where there is one.
    public let errorNumber: Int32?
    /// The pins that were expected and the keys that were seen, where the host is pinned and its certificate was at fault.
    public let pinning: PinningReport?
    /// Whether a fault passes, of which the code does not tell.
    private let isPassing: Bool

    init(
        _ code: Code,
        _ message: String,
        host: String? = nil,
        phase: Phase? = nil,
        curlCode: Int32? = nil,
        errorNumber: Int32? = nil,
        pinning: PinningReport? = nil,
        isPassing: Bool = false
    ) {
        self.code = code
        self.message = message
        self.host = host
        self.phase = phase
        self.curlCode = curlCode
        self.errorNumber = errorNumber
        self.pinning = pinning
        self.isPassing = isPassing
    }

    /// Whether the network failed in a way that another try may not meet; a proxy that cannot be reached or answers a tunnel with
    /// 502, 503 or 504 has.
    ///
    /// The server may have acted on the request all the same; see ``phase``.
    public var isRetryable: Bool {
        isPassing
            || [.resolveFailed, .connectFailed, .timedOut, .connectionClosed, .connectionFailed].contains(
                code
            )
    }

    /// The code, the sentence, the host and the numbers.
    public var description: String {
        var text = "\(code): \(message)"
        if let host { text += ", host \(host)" }
        if let phase { text += ", while \(phase.rawValue)" }
        if let curlCode { text += " (curl \(curlCode))" }
        if let errorNumber { text += " (errno \(errorNumber))" }
        if let pinning { text += "; \(pinning)" }
        return text
    }
}

extension TransportError: PlainError {}
