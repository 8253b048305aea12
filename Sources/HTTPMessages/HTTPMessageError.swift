import Encodings

/// Why a part of an HTTP message cannot exist.
///
/// A message is checked when it is built, so that what is signed and sent needs no repair. The description names the
/// part and the place of the fault; it never repeats a field's value or a query, which may hold a secret.
public struct HTTPMessageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// A method that is not a token (RFC 9110, section 9.1).
        public static let invalidMethod = Code(description: "invalidMethod")
        /// A status outside 100...999.
        public static let invalidStatus = Code(description: "invalidStatus")
        /// A field name that is not a token (RFC 9110, section 5.1).
        public static let invalidFieldName = Code(description: "invalidFieldName")
        /// A field value with CR, LF, NUL, another control character, or white space at an end (section 5.5).
        public static let invalidFieldValue = Code(description: "invalidFieldValue")
        /// A URL whose scheme is not `http` or `https`.
        public static let unsupportedScheme = Code(description: "unsupportedScheme")
        /// A URL that names a user.
        public static let userInfoNotAllowed = Code(description: "userInfoNotAllowed")
        /// A URL without a host, or with one that is not a name, an IPv4 or a bracketed IPv6 address.
        public static let invalidHost = Code(description: "invalidHost")
        /// A port that is not a number in 1...65535.
        public static let invalidPort = Code(description: "invalidPort")
        /// A character that a URL cannot hold: white space, a control character, a backslash, or one outside ASCII.
        public static let invalidURLCharacter = Code(description: "invalidURLCharacter")
        /// A `%` that two hexadecimal digits do not follow.
        public static let invalidPercentEncoding = Code(description: "invalidPercentEncoding")
        /// A pin that is not a SHA-256, or not Base 64 of one.
        public static let invalidPin = Code(description: "invalidPin")
    }

    /// What was wrong.
    public let code: Code
    /// One sentence for a person, free of secrets.
    public let message: String
    /// The offset of the faulty octet in the input, from 0, where there is one.
    public let offset: Int?

    init(_ code: Code, _ message: String, at offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    /// The code, the sentence and the place.
    public var description: String {
        offset.map { "\(code): \(message), at octet \($0)" } ?? "\(code): \(message)"
    }
}

extension HTTPMessageError: PlainError {}
