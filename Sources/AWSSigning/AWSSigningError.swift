internal import Cryptography
internal import HTTPMessages

/// Why something could not be signed, or why there are no credentials to sign with.
///
/// The description holds the code and one sentence, which may name a profile, never a key, a token or a value of the request.
public struct AWSSigningError: Error, Sendable, CustomStringConvertible {
    /// What was wrong.
    public let code: Code
    /// One sentence for people, without values.
    public let message: String
    /// The error under this one, from cryptography, a file, a message or the session.
    public let underlying: (any Error)?

    /// Makes an error; a credentials provider of your own throws one with code `noCredentials` to let a chain go on.
    ///
    /// - Parameters:
    ///   - code: What was wrong.
    ///   - message: One sentence for people. It must not hold a secret.
    ///   - underlying: The error under this one.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The code and the sentence.
    public var description: String { "\(code): \(message)" }

    /// Runs cryptography, whose failure is not the caller's fault.
    static func cryptography<Result: ~Copyable>(
        _ body: () throws(CryptographyError) -> Result
    ) throws(AWSSigningError) -> Result {
        do throws(CryptographyError) {
            return try body()
        } catch {
            throw AWSSigningError(.cryptographyFailed, "a cryptographic operation failed", underlying: error)
        }
    }

    /// Makes a part of a message, or says which part cannot exist.
    static func message<Result>(
        _ code: Code,
        _ what: String,
        _ body: () throws(HTTPMessageError) -> Result
    ) throws(AWSSigningError) -> Result {
        do throws(HTTPMessageError) {
            return try body()
        } catch {
            throw AWSSigningError(code, what, underlying: error)
        }
    }
}
