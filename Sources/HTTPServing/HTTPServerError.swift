/// Why a server does not start, or what went wrong while it ran.
///
/// The description never holds a part of a request, a response or a key.
public struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// A setting outside its range.
        public static let invalidConfiguration = Code(description: "invalidConfiguration")
        /// The address or the port cannot be bound.
        public static let bindFailed = Code(description: "bindFailed")
        /// The certificate or the key is not usable.
        public static let tlsSetupFailed = Code(description: "tlsSetupFailed")
        /// The server's threads cannot be started.
        public static let startFailed = Code(description: "startFailed")
        /// A handler returned a response that cannot be sent; the client got a 500.
        public static let invalidResponse = Code(description: "invalidResponse")
        /// The HTTP library reported a fault, of a connection or its own.
        public static let libraryMessage = Code(description: "libraryMessage")
    }

    /// What was wrong.
    public let code: Code
    /// One sentence for a person, free of secrets.
    public let message: String
    /// The operating system's error number, where there is one.
    public let errorNumber: Int32?

    init(_ code: Code, _ message: String, errorNumber: Int32? = nil) {
        self.code = code
        self.message = message
        self.errorNumber = errorNumber
    }

    /// The code, the sentence and the error number.
    public var description: String {
        errorNumber.map { "\(code): \(message) (errno \($0))" } ?? "\(code): \(message)"
    }
}
