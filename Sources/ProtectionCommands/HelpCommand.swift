import Encodings

extension Command {
    static let help = Command(
        ["help"],
        "show the help of a command",
        discussion: ["With --json it gives the whole table of commands, for programs that call the tool."],
        operands: [
            .init(
                name: "COMMAND",
                kind: .text,
                summary: "the words of a command; none for all",
                isOptional: true,
                isRepeatable: true
            )
        ],
        examples: [.init(purpose: "Show how tokens are made", line: "protection help token mint")],
        run: HelpCommand.run
    )
}

/// Shows the help of commands.
enum HelpCommand {
    static func run(_ invocation: Invocation) async throws {
        let (command, rest) = try CommandTable.find(invocation.arguments.operands)
        guard rest.isEmpty else { throw invocation.usage("the command has no further words") }
        try show(command, invocation)
    }

    static func show(_ command: Command, _ invocation: Invocation) throws {
        guard invocation.console.isJSON else {
            return try invocation.console.write(HelpText.text(of: command, style: invocation.console.style))
        }
        let commands = CommandTable.commands.filter { $0.path.starts(with: command.path) }
        try invocation.console.write(["commands": .array(commands.map(json))])
    }

    private static func json(_ command: Command) -> JSONValue {
        [
            "name": .string(command.path.joined(separator: " ")),
            "summary": .string(command.summary),
            "usage": .string(command.usage),
            "arguments": .array(
                command.operands.map { ["name": .string($0.name), "summary": .string($0.summary)] }
            ),
            "options": .array(command.options.map(json)),
            "examples": .array(
                command.examples.map { ["purpose": .string($0.purpose), "line": .string($0.line)] }
            ),
        ]
    }

    private static func json(_ option: CommandOption) -> JSONValue {
        var members = JSONObject()
        members["long"] = .string("--\(option.long)")
        if let short = option.short { members["short"] = .string("-\(short)") }
        if let name = option.valueName { members["value"] = .string(name) }
        members["summary"] = .string(option.summary)
        members["required"] = .bool(option.isRequired)
        members["repeatable"] = .bool(option.isRepeatable)
        return .object(members)
    }
}
