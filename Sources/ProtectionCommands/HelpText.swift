/// The help of one command, in at most 80 columns.
enum HelpText {
    private static let width = 80

    static func text(of command: Command, style: TextStyle) -> String {
        let usage = command.usage.wrapped(to: width - 6).joined(separator: "\n      ")
        var parts = ["\(style.bold(command.name)): \(command.summary)"]
        parts.append(
            "\(style.bold("Usage:"))\n  \(usage)"
        )
        parts += command.discussion.map { $0.wrapped(to: width).joined(separator: "\n") }
        if command.isGroup {
            let commands = CommandTable.commands.filter { $0.path.starts(with: command.path) }
            parts.append(
                list("Commands:", commands.map { ($0.path.joined(separator: " "), $0.summary) }, style)
            )
        }
        if !command.operands.isEmpty {
            parts.append(list("Arguments:", command.operands.map { ($0.name, $0.summary) }, style))
        }
        parts.append(list("Options:", command.options.map { ($0.synopsis, description(of: $0)) }, style))
        let examples =
            command.isGroup
            ? CommandTable.commands.filter { $0.path.starts(with: command.path) }.compactMap(\.examples.first)
            : command.examples
        if !examples.isEmpty {
            parts.append(
                style.bold("Examples:") + "\n"
                    + examples.map { "  # \($0.purpose)\n  \($0.line)" }.joined(separator: "\n\n")
            )
        }
        return parts.joined(separator: "\n\n")
    }

    /// The summary of an option with what else there is to know.
    static func description(of option: CommandOption) -> String {
        var text = option.summary
        if case .choice(let names) = option.kind { text += ": \(names.joined(separator: ", "))" }
        if option.isRequired { text += " (required)" }
        if option.isRepeatable { text += " (may be repeated)" }
        return text
    }

    private static func list(_ title: String, _ rows: [(String, String)], _ style: TextStyle) -> String {
        let column = min(30, (rows.map(\.0.count).max() ?? 0) + 4)
        let lines = rows.map { name, text in
            var lines = text.wrapped(to: width - column)
            let first = lines.isEmpty ? "" : lines.removeFirst()
            let rest = lines.map { "\n" + String(repeating: " ", count: column) + $0 }.joined()
            guard name.count + 3 < column else {
                return "  \(name)\n" + String(repeating: " ", count: column) + first + rest
            }
            return "  \(name)" + String(repeating: " ", count: column - name.count - 2) + first + rest
        }
        return style.bold(title) + "\n" + lines.joined(separator: "\n")
    }
}
