import Encodings

/// Why a message could not be signed, or why its signature was refused.
///
/// The description holds the code, one sentence and the identifier of a component, never a value or a key.
public struct SignatureError: Error, Sendable, CustomStringConvertible {
    /// What was wrong.
    public let code: Code
    /// One sentence for people, without values.
    public let message: String
    /// The component at fault, serialised; nil where there is no one component.
    public let component: String?
    /// The error under this one, from a structured field, cryptography or the application.
    public let underlying: (any Error)?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What was wrong.
    ///   - message: One sentence for people. It must not hold a value of the message.
    ///   - component: The identifier of the component at fault, serialised.
    ///   - underlying: The error under this one.
    public init(
        _ code: Code,
        _ message: String,
        component: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.component = component
        self.underlying = underlying
    }

    /// The code, the sentence and the component.
    public var description: String {
        component.map { "\(code): \(message) (\($0))" } ?? "\(code): \(message)"
    }
}

extension SignatureError: PlainError {}
