import Encodings

/// Why a configuration string cannot be read, and where the fault stands.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// The text is no configuration string at all.
        public static let notAConfiguration = Code(description: "notAConfiguration")
        /// The string is of a version that this package does not read.
        public static let unknownVersion = Code(description: "unknownVersion")
        /// The line was cut off.
        public static let truncated = Code(description: "truncated")
        /// A character that the string cannot hold, or one too many.
        public static let invalidCharacter = Code(description: "invalidCharacter")
        /// A character was changed: the checksum does not match.
        public static let checksumMismatch = Code(description: "checksumMismatch")
        /// A field that has to be there is not.
        public static let missingField = Code(description: "missingField")
        /// A field that holds something else than it should.
        public static let invalidField = Code(description: "invalidField")
    }

    /// What was wrong.
    public let code: Code
    /// One sentence for a person.
    public let message: String
    /// The offset of the fault in the string, from 0, where there is one.
    public let offset: Int?

    init(_ code: Code, _ message: String, at offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    /// The code, the sentence and the place.
    public var description: String {
        offset.map { "\(code): \(message), at character \($0)" } ?? "\(code): \(message)"
    }
}

extension ConfigurationError: PlainError {}
