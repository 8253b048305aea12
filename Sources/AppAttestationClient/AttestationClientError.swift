internal import Cryptography
import Encodings
public import HTTPMessages

/// Why there is no attested key, no assertion, or no request.
///
/// The description holds no key, no nonce and nothing of a request. It names a file that is at fault by its path, but of the
/// identifier that a key's file is named after only the first four octets.
public struct AttestationClientError: RetryableError, Sendable, CustomStringConvertible {
    /// What went wrong.
    public let code: Code
    /// One sentence for people.
    public let message: String
    /// How long it is until the service, or a server that asked to be left alone, may be tried again; nil when nobody
    /// said.
    public let retryAfter: Duration?
    /// The error that caused this one, if there is one.
    public let underlying: (any Error)?

    /// Makes an error; a provider, a backend or a store of one's own throws one.
    public init(
        _ code: Code,
        _ message: String,
        retryAfter: Duration? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
        self.underlying = underlying
    }

    /// Whether the same may succeed later: a backend that is rolled out answers again as it should, a disk has room again.
    public var isTransient: Bool {
        [.unavailable, .timedOut, .invalidResponse, .storeFailed].contains(code)
    }

    /// Whether another key may succeed where this error came, of what fails for good.
    ///
    /// Files that cannot be read, a wrong passphrase and a cancellation say nothing of a key.
    var mayBeOfTheKey: Bool {
        if underlying is CancellationError { return false }
        if let cause = underlying as? CryptographyError, cause.code == .wrongPassphrase { return false }
        return !isTransient
            && ![.notSupported, .exhausted, .invalidClientDataHash].contains(code)
    }

    /// The same error, with how long it is until another run may begin.
    func trying(after pause: Duration) -> AttestationClientError {
        AttestationClientError(code, message, retryAfter: pause, underlying: underlying)
    }

    /// As ``isTransient``: the request was not carried out.
    public var isRetryable: Bool { isTransient }

    /// The code, the sentence and the cause.
    public var description: String {
        underlying.map { "\(code): \(message) (\(ErrorCause.text($0)))" } ?? "\(code): \(message)"
    }
}

extension AttestationClientError: PlainError {}
