import Encodings
import FoundationEssentials

/// Turns a flat value into names and values, for queries and forms.
///
/// The value's own coding decides: what it encodes must be one object. A member becomes an item, an array of scalars one
/// item for each, null nothing. Items are sorted by name, because coders keep no order.
enum FormEncoder {
    static func items(of value: some Encodable, with coders: JSONCoders) throws(APIError) -> [QueryItem] {
        let octets = try coders.encode(value)
        guard let object = (try? JSONValue(parsing: octets))?.object else {
            throw APIError(.encoding, "the parameters are not an object of names and values")
        }
        var items: [QueryItem] = []
        for member in object.members.sorted(by: { $0.name < $1.name }) {
            for element in member.value.array ?? [member.value] {
                guard let text = try text(of: element) else { continue }
                items.append(QueryItem(member.name, text))
            }
        }
        return items
    }

    private static func text(of value: JSONValue) throws(APIError) -> String? {
        switch value {
        case .null: nil
        case .bool(let truth): truth ? "true" : "false"
        case .number(let number): number.lexeme
        case .string(let text): text
        case .array, .object:
            throw APIError(.encoding, "the parameters are nested, which a query or a form cannot hold")
        }
    }
}
