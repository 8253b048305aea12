import Encodings
import MessageSignatures

/// A field that a command puts into a message.
struct AddedField: Sendable {
    let name: String
    let value: String

    /// The field as the library covers it.
    var line: FieldLine { FieldLine(name, value) }
    /// The field as messages in JSON hold it.
    var json: JSONValue { [.string(name), .string(value)] }
    /// The field as a line of text.
    var text: String { "\(name): \(value)" }
}
