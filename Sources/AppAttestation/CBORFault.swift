import Encodings

/// Why octets are not the strict CBOR of this library, and where the fault stands.
public struct CBORFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// The input ends inside an item.
        public static let truncated = Code(description: "truncated")
        /// Additional information 28 to 30, or a break code that ends nothing.
        public static let reserved = Code(description: "reserved")
        /// A string, array or map of indefinite length.
        public static let indefiniteLength = Code(description: "indefiniteLength")
        /// A number or a length that has a shorter form.
        public static let notShortest = Code(description: "notShortest")
        /// A key stands twice in one map.
        public static let duplicateKey = Code(description: "duplicateKey")
        /// A text string that is not valid UTF-8.
        public static let invalidText = Code(description: "invalidText")
        /// Items nested deeper than the limit.
        public static let tooDeep = Code(description: "tooDeep")
        /// An input longer than the limit.
        public static let tooLarge = Code(description: "tooLarge")
        /// Octets after the end of the item.
        public static let trailingData = Code(description: "trailingData")
    }

    /// What was wrong.
    public let code: Code
    /// The offset in the input, from 0, of the item at fault or of the end that came too soon.
    public let offset: Int

    /// Makes a fault at an offset, in octets from the start of the input.
    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    /// The fault and its place, without the input.
    public var description: String { "\(code) at octet \(offset)" }
}

extension CBORFault: PlainError {}
