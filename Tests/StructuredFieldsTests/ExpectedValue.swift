import Encodings
import StructuredFields
import Testing

/// Builds the values that the conformance cases describe in JSON.
enum ExpectedValue {
    static func item(_ value: JSONValue) throws -> Item {
        let (content, parameters) = try pair(value)
        return Item(try bareItem(content), parameters: try self.parameters(parameters))
    }

    static func list(_ value: JSONValue) throws -> FieldList {
        FieldList(try #require(value.array).map(member))
    }

    static func dictionary(_ value: JSONValue) throws -> FieldDictionary {
        var dictionary = FieldDictionary()
        for entry in try #require(value.array) {
            let (key, member) = try pair(entry)
            dictionary[try #require(key.string)] = try self.member(member)
        }
        return dictionary
    }

    private static func member(_ value: JSONValue) throws -> Member {
        let (content, parameters) = try pair(value)
        guard let items = content.array else { return .item(try item(value)) }
        return .innerList(InnerList(try items.map(item), parameters: try self.parameters(parameters)))
    }

    private static func parameters(_ value: JSONValue) throws -> Parameters {
        var parameters = Parameters()
        for entry in try #require(value.array) {
            let (key, value) = try pair(entry)
            parameters[try #require(key.string)] = try bareItem(value)
        }
        return parameters
    }

    private static func pair(_ value: JSONValue) throws -> (JSONValue, JSONValue) {
        let elements = try #require(value.array)
        try #require(elements.count == 2)
        return (elements[0], elements[1])
    }

    private static func bareItem(_ value: JSONValue) throws -> BareItem {
        switch value {
        case .string(let text): return .string(text)
        case .bool(let truth): return .boolean(truth)
        case .number(let number):
            // Only the point tells a decimal from an integer.
            if let integer = number.integer { return .integer(integer) }
            return .decimal(try DecimalNumber(rounding: #require(number.double)))
        default:
            let members = try #require(value.object)
            let content = try #require(members["value"])
            switch members["__type"] {
            case "token": return .token(try Token(#require(content.string)))
            case "binary": return .bytes(try base32(#require(content.string)))
            case "date": return .date(try #require(content.integer))
            default:
                try #require(members["__type"] == "displaystring")
                return .displayString(try #require(content.string))
            }
        }
    }

    /// Decodes Base 32 of RFC 4648, section 6, which the cases hold byte sequences in.
    private static func base32(_ text: String) throws -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        var octets: [UInt8] = []
        var buffer = 0
        var pending = 0
        for character in text.utf8.prefix(while: { $0 != UInt8(ascii: "=") }) {
            buffer = (buffer << 5 | (try #require(alphabet.firstIndex(of: character)))) & 0xFFFF
            pending += 5
            if pending >= 8 {
                pending -= 8
                octets.append(UInt8(truncatingIfNeeded: buffer >> pending))
            }
        }
        return octets
    }
}
