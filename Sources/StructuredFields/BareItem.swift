internal import Encodings

/// A value without parameters: one of the eight types of section 3.3 of RFC 9651.
///
/// Not every value of a case has a form on the wire. What has none is found when it is serialised, or, for tokens and
/// decimals, when it is made.
public enum BareItem: Sendable, Hashable {
    /// An integer of at most 15 digits.
    case integer(Int64)
    /// A decimal number with at most 12 digits before the point and 3 after it.
    case decimal(DecimalNumber)
    /// A string of printable ASCII, unescaped.
    case string(String)
    /// A token.
    case token(Token)
    /// A byte sequence, decoded.
    case bytes([UInt8])
    /// A boolean.
    case boolean(Bool)
    /// A date, in seconds since the start of 1970 in UTC, of at most 15 digits.
    case date(Int64)
    /// A string of Unicode text, unescaped.
    case displayString(String)

    /// The integers that have a form: those of at most 15 digits.
    public static let integerRange: ClosedRange<Int64> = -999_999_999_999_999...999_999_999_999_999

    /// The number when the value is an integer.
    public var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The number when the value is a decimal.
    public var decimal: DecimalNumber? {
        if case .decimal(let number) = self { number } else { nil }
    }

    /// The text when the value is a string.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The token when the value is one.
    public var token: Token? {
        if case .token(let token) = self { token } else { nil }
    }

    /// The octets when the value is a byte sequence.
    public var bytes: [UInt8]? {
        if case .bytes(let octets) = self { octets } else { nil }
    }

    /// The truth value when the value is a boolean.
    public var boolean: Bool? {
        if case .boolean(let truth) = self { truth } else { nil }
    }

    /// The seconds since the start of 1970 when the value is a date.
    public var date: Int64? {
        if case .date(let seconds) = self { seconds } else { nil }
    }

    /// The text when the value is a display string.
    public var displayString: String? {
        if case .displayString(let text) = self { text } else { nil }
    }

    /// Serialises the value alone.
    ///
    /// - Throws: ``StructuredFieldError``, without an offset, for a value that has no form.
    public func serialized() throws(StructuredFieldError) -> String {
        try OctetWriter.text { writer throws(StructuredFieldError) in try writer.write(self) }
    }
}

extension BareItem: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Makes an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Makes a boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}
