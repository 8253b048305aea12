import Encodings

/// Why a structured field could not be parsed or serialised.
///
/// Parsing repairs nothing: the first octet that breaks the grammar ends it. The description holds the fault and its
/// place, never the input.
public struct StructuredFieldError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// The input ends inside a value.
        public static let unexpectedEnd = Code(description: "unexpectedEnd")
        /// An octet that starts no value.
        public static let invalidCharacter = Code(description: "invalidCharacter")
        /// Octets after the end of an item.
        public static let trailingData = Code(description: "trailingData")
        /// Two members with something else than a comma between them.
        public static let missingComma = Code(description: "missingComma")
        /// A comma that no member follows.
        public static let trailingComma = Code(description: "trailingComma")
        /// Two items of an inner list with something else than spaces between them.
        public static let invalidInnerList = Code(description: "invalidInnerList")
        /// A key that is empty or holds an octet that no key may hold.
        public static let invalidKey = Code(description: "invalidKey")
        /// A key that stands twice, where the parser was told to reject that.
        public static let duplicateKey = Code(description: "duplicateKey")
        /// A number without digits where digits have to stand.
        public static let invalidNumber = Code(description: "invalidNumber")
        /// A number with more digits than its type holds.
        public static let numberOutOfRange = Code(description: "numberOutOfRange")
        /// A string with an octet outside of printable ASCII, or an escape other than of `"` and `\`.
        public static let invalidString = Code(description: "invalidString")
        /// A token that is empty or holds an octet that no token may hold.
        public static let invalidToken = Code(description: "invalidToken")
        /// A byte sequence that is not canonical Base 64 between colons.
        public static let invalidByteSequence = Code(description: "invalidByteSequence")
        /// A boolean that is neither `?0` nor `?1`.
        public static let invalidBoolean = Code(description: "invalidBoolean")
        /// A date that is not an integer.
        public static let invalidDate = Code(description: "invalidDate")
        /// A display string with a bad escape, or whose octets are not UTF-8.
        public static let invalidDisplayString = Code(description: "invalidDisplayString")
        /// An input longer than the parser's limit.
        public static let tooLong = Code(description: "tooLong")
        /// More members, items and parameters than the parser's limit.
        public static let tooManyMembers = Code(description: "tooManyMembers")
    }

    /// What was wrong.
    public let code: Code
    /// The offset of the faulty octet in the input, from 0; nil when a number could not be made or a value serialised.
    ///
    /// Where an input came as several lines, it counts in the lines joined with `, `.
    public let offset: Int?

    /// Makes an error, at an offset in octets when it comes from parsing.
    public init(_ code: Code, at offset: Int? = nil) {
        self.code = code
        self.offset = offset
    }

    /// The fault and its place, without the input.
    public var description: String {
        offset.map { "\(code) at octet \($0)" } ?? code.description
    }
}

extension StructuredFieldError: PlainError {}
