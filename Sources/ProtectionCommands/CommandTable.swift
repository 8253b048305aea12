/// Every command of the tool: add one here, and parsing, help, completion and manual page have it.
enum CommandTable {
    static let commands: [Command] = [
        .configMake, .configShow, .tokenMint, .tokenShow, .tokenVerify, .request, .pins, .structuredFieldItem,
        .structuredFieldList, .structuredFieldDictionary, .signatureBase, .signatureSign, .signatureVerify,
        .digest, .attestVerify, .attestShow, .attestReceipt, .awsSign, .awsPresign, .keysNew, .keysShow,
        .completion, .man, .help,
    ]

    /// The tool itself and the groups of its commands, which stand for nothing but their help.
    static let groups: [Command] = [
        group([], "prove where HTTP requests come from", [.flag("version", short: "V", "show the version")]),
        group(["config"], "make and read configuration lines"),
        group(["keys"], "make keys, and show their public halves"),
        group(["token"], "make, read and verify tokens"),
        group(["sfv"], "parse structured fields"),
        group(["signature"], "sign and verify HTTP messages"),
        group(["attest"], "read and verify attestations"),
        group(["aws"], "sign requests for AWS and S3-compatible services"),
    ]

    private static func group(
        _ path: [String],
        _ summary: String,
        _ options: [CommandOption] = []
    ) -> Command {
        Command(path, summary, options: options, examples: [], isGroup: true) { invocation in
            guard !invocation.arguments.has("version") else {
                return try VersionText.show(invocation.console)
            }
            throw invocation.usage("a command is missing: \(words(after: path).joined(separator: ", "))")
        }
    }

    /// The next words of the commands that start with a path, each once, in order.
    static func words(after path: [String]) -> [String] {
        commands.filter { $0.path.starts(with: path) && $0.path.count > path.count }
            .map { $0.path[path.count] }
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The command or group that a list of words names exactly.
    static func command(at path: [String]) -> Command? {
        (commands + groups).first { $0.path == path }
    }

    /// Splits a command line into the command and what follows its words.
    ///
    /// - Throws: ``ToolError`` with code `usage`, with what may have been meant.
    static func find(_ arguments: [String]) throws(ToolError) -> (Command, rest: [String]) {
        var path: [String] = []
        for word in arguments {
            guard !word.hasPrefix("-") else { break }
            guard command(at: path + [word]) != nil else { break }
            path.append(word)
        }
        guard let command = command(at: path) else {
            throw ToolError(.internalError, "the table of commands has no root")
        }
        let rest = Array(arguments.dropFirst(path.count))
        if command.isGroup, let word = rest.first, !word.hasPrefix("-") {
            throw unknown(word, after: command)
        }
        return (command, rest)
    }

    private static func unknown(_ word: String, after group: Command) -> ToolError {
        let words = words(after: group.path)
        let guess = Suggestion.nearest(to: word, among: words)
        let name = (group.path + [word.escapingControls]).joined(separator: " ")
        var error = ToolError(
            .usage,
            "there is no command '\(name)', but: \(words.joined(separator: ", "))",
            hints: (guess.map { ["did you mean '\(group.name) \($0)'?"] } ?? []) + OptionParser.hints(group)
        )
        error.isAboutCommands = true
        return error
    }
}
