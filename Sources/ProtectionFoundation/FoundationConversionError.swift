/// Why a request or a response cannot be carried over between Foundation and this package.
public struct FoundationConversionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// The request has no URL.
        public static let missingURL = Code(description: "missingURL")
        /// The body is a stream, which cannot be read again for a retry or a signature, or a file.
        public static let streamedBody = Code(description: "streamedBody")
        /// Foundation does not take the request as it is.
        public static let invalidRequest = Code(description: "invalidRequest")
        /// Foundation does not take the response.
        public static let invalidResponse = Code(description: "invalidResponse")
    }

    /// What was wrong.
    public let code: Code

    /// The code.
    public var description: String { code.description }
}
