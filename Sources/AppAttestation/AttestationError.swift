import Encodings

/// Why an attestation, an assertion or a receipt was refused.
///
/// The description never holds keys, hashes or other values of the input.
public struct AttestationError: Error, Sendable, CustomStringConvertible {
    /// What was wrong.
    public let code: Code
    /// One sentence for people, without values.
    public let message: String
    /// The error that caused this one: a ``CBORFault``, an error of the cryptography, or the store's.
    public let underlying: (any Error)?

    /// Makes an error; a format of one's own throws one.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The code, the sentence and the cause.
    public var description: String {
        underlying.map { "\(code): \(message) (\(ErrorCause.text($0)))" } ?? "\(code): \(message)"
    }
}

extension AttestationError: PlainError {}
