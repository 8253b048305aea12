/// An error of this package, whose description is known to hold no secret.
package protocol PlainError: Error, CustomStringConvertible {}

extension DecodingFault: PlainError {}

/// What may be shown of an error that another one was caused by.
package enum ErrorCause {
    /// The description of an error of this package, and the type alone of any other: nobody knows what the text of an app's
    /// own error says.
    package static func text(_ error: any Error) -> String {
        (error as? any PlainError)?.description ?? "\(type(of: error))"
    }
}
