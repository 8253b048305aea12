extension HTTPField {
    /// The name of a field: a token that compares without regard to case (RFC 9110, section 5.1).
    public struct Name: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
        /// The name as it was written, and as HTTP/1.1 sends it.
        public let rawName: String
        /// The name in lower case, as HTTP/2 and message signatures use it.
        public let canonicalName: String

        /// Makes a name.
        ///
        /// - Throws: ``HTTPMessageError`` with code `invalidFieldName` when the text is not a token.
        public init(_ name: String) throws(HTTPMessageError) {
            if let offset = Token.fault(in: name) {
                throw HTTPMessageError(.invalidFieldName, "the field name is not a token", at: offset)
            }
            rawName = name
            canonicalName = name.lowercased()
        }

        /// Makes a name from a literal; one that is not a token is a mistake in the source and stops the program.
        public init(stringLiteral name: StaticString) {
            let text = String(describing: name)
            precondition(Token.fault(in: text) == nil, "the literal \(text) is not a field name")
            rawName = text
            canonicalName = text.lowercased()
        }

        /// The name as it was written.
        public var description: String { rawName }

        /// Whether both name the same field.
        public static func == (left: Name, right: Name) -> Bool {
            // Most names differ in length, and to compare texts takes longer than to see that.
            left.canonicalName.utf8.count == right.canonicalName.utf8.count
                && left.canonicalName == right.canonicalName
        }

        /// Feeds the name in lower case.
        public func hash(into hasher: inout Hasher) { hasher.combine(canonicalName) }

        /// Credentials for the origin server.
        public static let authorization: Name = "Authorization"
        /// The length of the content, in octets.
        public static let contentLength: Name = "Content-Length"
        /// The media type of the content.
        public static let contentType: Name = "Content-Type"
        /// Cookies that a client returns.
        public static let cookie: Name = "Cookie"
        /// When the message was made.
        public static let date: Name = "Date"
        /// The host and port of the target.
        public static let host: Name = "Host"
        /// Where a redirect leads.
        public static let location: Name = "Location"
        /// When to ask again.
        public static let retryAfter: Name = "Retry-After"
        /// A cookie that a server sets.
        public static let setCookie: Name = "Set-Cookie"
        /// The user agent that makes the request.
        public static let userAgent: Name = "User-Agent"
        /// How to authenticate to the origin server.
        public static let wwwAuthenticate: Name = "WWW-Authenticate"
    }
}
