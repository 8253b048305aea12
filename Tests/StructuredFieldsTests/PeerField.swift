import Encodings
import StructuredFields

/// A random value, with the JSON in which the peer gets and gives it.
enum PeerField: Sendable {
    case item(Item)
    case list(FieldList)
    case dictionary(FieldDictionary)

    /// Makes a value that is not empty.
    init(_ kind: String, _ values: inout RandomValues) throws {
        switch kind {
        case "item": self = .item(try values.item())
        case "list":
            var list = try values.list()
            if list.members.isEmpty { list.members.append(.item(try values.item())) }
            self = .list(list)
        default:
            var dictionary = try values.dictionary()
            if dictionary.isEmpty { dictionary[values.key()] = .item(try values.item()) }
            self = .dictionary(dictionary)
        }
    }

    var text: String {
        get throws {
            switch self {
            case .item(let item): try item.serialized()
            case .list(let list): try list.serialized()
            case .dictionary(let dictionary): try dictionary.serialized()
            }
        }
    }

    func isEqual(toParsed text: String) throws -> Bool {
        switch self {
        case .item(let item): try Item(parsing: text) == item
        case .list(let list): try FieldList(parsing: text) == list
        case .dictionary(let dictionary): try FieldDictionary(parsing: text) == dictionary
        }
    }

    var json: JSONValue {
        switch self {
        case .item(let item): Self.json(item)
        case .list(let list): .array(list.members.map(Self.json))
        case .dictionary(let dictionary):
            .array(dictionary.map { [.string($0.key), Self.json($0.member)] })
        }
    }

    private static func json(_ member: Member) -> JSONValue {
        switch member {
        case .item(let value): json(value)
        case .innerList(let list): [.array(list.items.map(json)), json(list.parameters)]
        }
    }

    private static func json(_ item: Item) -> JSONValue { [json(item.bareItem), json(item.parameters)] }

    private static func json(_ parameters: Parameters) -> JSONValue {
        .array(parameters.map { [.string($0.key), json($0.value)] })
    }

    private static func json(_ value: BareItem) -> JSONValue {
        switch value {
        case .integer(let number): .integer(number)
        case .decimal(let number): ["__type": "decimal", "value": .integer(number.thousandths)]
        case .string(let text): .string(text)
        case .token(let token): ["__type": "token", "value": .string(token.text)]
        case .bytes(let octets): ["__type": "binary", "value": .string(Base32.encode(octets))]
        case .boolean(let truth): .bool(truth)
        case .date(let seconds): ["__type": "date", "value": .integer(seconds)]
        case .displayString(let text): ["__type": "displaystring", "value": .string(text)]
        }
    }
}
