/// A data item of CBOR (RFC 8949, section 2).
public enum CBORValue: Sendable, Hashable {
    /// An integer that is not negative (major type 0).
    case unsigned(UInt64)
    /// The integer −1 − n (major type 1).
    case negative(UInt64)
    /// A byte string (major type 2).
    case bytes([UInt8])
    /// A text string (major type 3).
    case text(String)
    /// An array (major type 4).
    case array([CBORValue])
    /// A map (major type 5), its members in the order of the input.
    case map([CBORMember])
    /// An item with a tag (major type 6), whose meaning is left to the caller.
    indirect case tagged(UInt64, CBORValue)
    /// A simple value without a name of its own.
    case simple(UInt8)
    /// True or false.
    case bool(Bool)
    /// The null value.
    case null
    /// The undefined value.
    case undefined
    /// A floating-point number of any of the three widths.
    case float(Double)

    /// Reads exactly one item, and nothing after it, under the rules of ``CBORReader``.
    ///
    /// - Throws: ``CBORFault`` for anything else.
    public init(decoding bytes: [UInt8], limits: CBORLimits = CBORLimits()) throws(CBORFault) {
        var reader = try CBORReader(bytes, limits: limits)
        self = try reader.readValue()
        try reader.finish()
    }

    /// The number, when it is an integer that fits; −1 − n for a negative one.
    public var integer: Int64? {
        switch self {
        case .unsigned(let value): Int64(exactly: value)
        case .negative(let value): Int64(exactly: value).map { -1 - $0 }
        default: nil
        }
    }

    /// The octets of a byte string.
    public var byteString: [UInt8]? {
        guard case .bytes(let value) = self else { return nil }
        return value
    }

    /// The text of a text string.
    public var textString: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    /// The elements of an array.
    public var elements: [CBORValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The members of a map.
    public var members: [CBORMember]? {
        guard case .map(let value) = self else { return nil }
        return value
    }

    /// The member of a map under a text key, compared code point by code point; nil when there is none.
    public subscript(name: String) -> CBORValue? {
        members?.first { $0.key.textString?.utf8.elementsEqual(name.utf8) == true }?.value
    }

    /// The member of a map under an integer key; nil when there is none.
    public subscript(label: Int64) -> CBORValue? {
        members?.first { $0.key.integer == label }?.value
    }
}
