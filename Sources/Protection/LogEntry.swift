/// One event, ready to be written: tokens, keys and secrets are not in it.
public struct LogEntry: Sendable, CustomStringConvertible {
    /// How grave the event is.
    public let level: LogLevel
    /// What happened, as a stable name.
    public let event: String
    /// What belongs to it, in order.
    public let attributes: [(key: String, value: String)]

    /// The event as one line of `key=value` pairs.
    ///
    /// A value that is not plain is quoted, with control characters, quotes and backslashes escaped: no value can
    /// start a line or an attribute of its own.
    public var description: String {
        var line = "level=\(level) event=\(event)"
        for (key, value) in attributes { line += " \(key)=\(Self.quoted(value))" }
        return line
    }

    private static func quoted(_ value: String) -> String {
        let isPlain =
            !value.isEmpty
            && value.unicodeScalars.allSatisfy {
                $0.value > 0x20 && $0.value < 0x7F && !"\"\\=".unicodeScalars.contains($0)
            }
        guard !isPlain else { return value }
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _
            where scalar.properties.generalCategory == .control
                || scalar.properties.generalCategory == .format
                || scalar.properties.generalCategory == .lineSeparator
                || scalar.properties.generalCategory == .paragraphSeparator:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
