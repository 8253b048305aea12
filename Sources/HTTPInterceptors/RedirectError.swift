public import HTTPMessages

/// Why a redirect was not followed.
///
/// It is a type of its own, apart from ``InterceptorError``, because callers match on it to show where a server led
/// them, and because it carries what they then need: the status and the host of the last response. It holds no path,
/// query, field or content.
public struct RedirectError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// Another redirect after as many as are followed; also how a loop ends.
        public static let tooManyRedirects = Code(description: "tooManyRedirects")
        /// A redirect without a `Location`.
        public static let missingLocation = Code(description: "missingLocation")
        /// More than one `Location`: two recipients could follow two of them.
        public static let repeatedLocation = Code(description: "repeatedLocation")
        /// A `Location` that is not a reference, or that leads to no target that can be requested.
        public static let invalidLocation = Code(description: "invalidLocation")
        /// A `Location` with another scheme than `http` and `https`.
        public static let unsupportedScheme = Code(description: "unsupportedScheme")
        /// A redirect from `https` to `http`.
        public static let insecureRedirect = Code(description: "insecureRedirect")
        /// A redirect that keeps the content of the request, which cannot be sent again.
        public static let bodyNotReplayable = Code(description: "bodyNotReplayable")
    }

    /// What was wrong.
    public let code: Code
    /// One sentence for a person, free of secrets.
    public let message: String
    /// The status of the response that redirects.
    public let status: HTTPStatus
    /// The host that sent it.
    public let host: String

    init(_ code: Code, _ message: String, status: HTTPStatus, host: String) {
        self.code = code
        self.message = message
        self.status = status
        self.host = host
    }

    /// The code, the sentence, the status and the host.
    public var description: String { "\(code): \(message), status \(status), host \(host)" }
}
