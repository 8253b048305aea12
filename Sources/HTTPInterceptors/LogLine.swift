import HTTPMessages

/// One line of `key=value` pairs, in which no value can start a line or a pair of its own.
struct LogLine {
    private(set) var text: String

    init(_ event: String, id: Int) {
        text = "event=\(event) request=\(id)"
    }

    mutating func add(_ key: String, _ value: String) {
        text += " \(key)=" + (Self.isPlain(value) ? value : Self.quoted(value))
    }

    /// Adds the fields that are shown, a pair each, and the names of the others.
    mutating func add(_ fields: HTTPFields, _ options: LoggingOptions) {
        for field in fields where options.shows(field.name) { add(field.name.canonicalName, field.value) }
        let hidden = fields.map(\.name).filter { !options.shows($0) }.map(\.canonicalName)
        if !hidden.isEmpty { add("hidden", hidden.joined(separator: ",")) }
    }

    private static let longest = 256

    private static func isPlain(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= longest
            && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"\\=".utf8.contains($0) }
    }

    /// Everything outside printable ASCII is escaped: a peer chooses these values, and a terminal would obey them.
    private static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars.prefix(longest) {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case " "..."~": text.unicodeScalars.append(scalar)
            default: text += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return text + (value.unicodeScalars.count > longest ? "...\"" : "\"")
    }
}
