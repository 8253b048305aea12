/// Why a text is not a valid encoding, and where the fault stands.
///
/// Nothing is repaired: the first octet that breaks the form ends the decoding. The description holds the fault and
/// its place, never the input, which may be a secret.
public struct DecodingFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// An octet that the encoding does not use.
        public static let invalidCharacter = Code(description: "invalidCharacter")
        /// A length that no input encodes to.
        public static let invalidLength = Code(description: "invalidLength")
        /// Padding that is missing, in excess, or out of place.
        public static let invalidPadding = Code(description: "invalidPadding")
        /// Bits after the last octet that are not zero: another text would decode to the same octets.
        public static let nonCanonical = Code(description: "nonCanonical")
        /// The input is not valid UTF-8.
        public static let invalidUTF8 = Code(description: "invalidUTF8")
        /// The input is not the JSON of RFC 8259.
        public static let invalidJSON = Code(description: "invalidJSON")
        /// A member name stands twice in one JSON object.
        public static let duplicateMember = Code(description: "duplicateMember")
        /// JSON nested deeper than the limit.
        public static let tooDeep = Code(description: "tooDeep")
        /// Octets after the end of the value.
        public static let trailingData = Code(description: "trailingData")
    }

    /// What was wrong.
    public let code: Code
    /// The offset of the faulty octet in the input, from 0.
    public let offset: Int

    /// Makes a fault at an offset, in octets from the start of the input.
    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    /// The fault and its place, without the input.
    public var description: String { "\(code) at octet \(offset)" }
}
