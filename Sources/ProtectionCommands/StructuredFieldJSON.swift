import Encodings
import StructuredFields

/// Structured fields in the JSON forms of the public test suite (httpwg/structured-field-tests).
enum StructuredFieldJSON {
    static func item(_ item: Item) -> JSONValue {
        [bareItem(item.bareItem), parameters(item.parameters)]
    }

    static func list(_ list: FieldList) -> JSONValue {
        .array(list.members.map(member))
    }

    static func dictionary(_ dictionary: FieldDictionary) -> JSONValue {
        .array(dictionary.map { [.string($0.key), member($0.member)] })
    }

    private static func member(_ member: Member) -> JSONValue {
        switch member {
        case .item(let value): item(value)
        case .innerList(let list): [.array(list.items.map(item)), parameters(list.parameters)]
        }
    }

    private static func parameters(_ parameters: Parameters) -> JSONValue {
        .array(parameters.map { [.string($0.key), bareItem($0.value)] })
    }

    static func bareItem(_ value: BareItem) -> JSONValue {
        switch value {
        case .integer(let number): .integer(number)
        case .decimal(let number): .number(JSONNumber(thousandths: number.thousandths))
        case .string(let text): .string(text)
        case .token(let token): typed("token", .string(token.text))
        case .bytes(let octets): typed("binary", .string(Base32.encode(octets)))
        case .boolean(let truth): .bool(truth)
        case .date(let seconds): typed("date", .integer(seconds))
        case .displayString(let text): typed("displaystring", .string(text))
        }
    }

    private static func typed(_ type: String, _ value: JSONValue) -> JSONValue {
        ["__type": .string(type), "value": value]
    }
}
