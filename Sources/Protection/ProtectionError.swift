import Encodings
public import HTTPMessages

/// Why the service stopped a request or refused a setting.
///
/// The message names the operation and the status. It holds no token, no secret and no query. An error of the app under it
/// is shown by its type alone, for nobody knows what its text says; one of this package is shown whole.
public struct ProtectionError: RetryableError, Sendable, CustomStringConvertible {
    /// What kind of failure it is, and so what a caller can do about it.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// The configuration, or a setting, cannot be used as given.
        public static let configuration = Code(description: "configuration")
        /// The network, or a device that has a key, failed for now; the same request may succeed later.
        public static let networking = Code(description: "networking")
        /// The installation failed its attestation; ``ProtectionError/arc`` and reasons say more.
        public static let rejection = Code(description: "rejection")
        /// It will fail again the same way.
        public static let permanent = Code(description: "permanent")
    }

    /// What kind of failure it is.
    public let code: Code
    /// One sentence for a person, free of secrets.
    public let message: String
    /// The attestation response code of a rejection, where there is one.
    public let arc: String?
    /// Why the attestation was rejected, where the account tells.
    public let rejectionReasons: String?
    /// The error that caused this one.
    public let underlying: (any Error)?

    /// Makes an error; a mutator that stops a request throws one.
    public init(
        _ code: Code,
        _ message: String,
        arc: String? = nil,
        rejectionReasons: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.arc = arc
        self.rejectionReasons = rejectionReasons
        self.underlying = underlying
    }

    /// Whether the same request may succeed later.
    public var isRetryable: Bool { code == .networking }

    /// The kind, the sentence, and of a rejection its code and reasons.
    public var description: String {
        var text = "\(code): \(message)"
        if let arc { text += ", ARC \(arc)" }
        if let rejectionReasons { text += ", reasons \(rejectionReasons)" }
        if let underlying { text += " (\(ErrorCause.text(underlying)))" }
        return text
    }
}

extension ProtectionError: PlainError {}
