/// One JSON value of RFC 8259, as it was written: members keep their order and numbers keep their digits.
///
/// Foundation's decoder takes the last of two members with one name, and turns every number into a double. A verifier
/// that reads attacker-made JSON can afford neither.
public enum JSONValue: Sendable, Hashable {
    /// The literal `null`.
    case null
    /// One of the literals `true` and `false`.
    case bool(Bool)
    /// A number, with the digits it was written with.
    case number(JSONNumber)
    /// A string, unescaped.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, with its members in order.
    case object(JSONObject)

    /// The text when the value is a string.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The integer when the value is a number that is one and fits 64 bits.
    public var integer: Int64? {
        if case .number(let number) = self { number.integer } else { nil }
    }

    /// The truth value when the value is a boolean.
    public var bool: Bool? {
        if case .bool(let truth) = self { truth } else { nil }
    }

    /// The elements when the value is an array.
    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members when the value is an object.
    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Makes a number.
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }

    /// Makes a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Makes an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Makes an object; a later member replaces an earlier one of the same name.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }

    /// Makes a number from an integer.
    public static func integer(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }
}
