/// The command-line tool `protection`: one call of it.
public struct Tool: Sendable {
    /// The version of the package, which `--version` shows.
    public static let version = "0.1.0"
    /// The date of the version, for the manual page.
    static let versionDate = "2026-11-30"

    private let arguments: [String]
    private let surroundings: Surroundings

    /// Takes the arguments, without the program's own name, and what the tool works with.
    public init(arguments: [String], surroundings: Surroundings) {
        self.arguments = arguments
        self.surroundings = surroundings
    }

    /// Runs the command that the arguments name; whatever goes wrong is reported and becomes the exit code.
    public func run() async -> ExitCode {
        // The form of errors must be known before the line is understood.
        let options = arguments.prefix { $0 != "--" }
        let console = Console(surroundings, isJSON: options.contains("--json"))
        var command: Command?
        do {
            try SecretScan.check(arguments)
            let (found, rest) = try CommandTable.find(arguments)
            command = found
            let parsed = try OptionParser.parse(rest, for: found)
            let invocation = Invocation(
                command: found,
                arguments: parsed,
                surroundings: surroundings,
                console: Console(surroundings, isJSON: parsed.has("json")),
                files: InputFiles(surroundings) { console.warn($0) }
            )
            guard !parsed.has("help") else {
                try HelpCommand.show(found, invocation)
                return .ok
            }
            try await found.run(invocation)
            return .ok
        } catch let end as EarlyEnd {
            return end.exit
        } catch {
            var error = ToolError(error)
            // An unknown word after 'help' has brought the hints of its own group.
            if error.code == .usage, !error.isAboutCommands, let command {
                error.hints += OptionParser.hints(command)
            }
            console.report(error)
            return error.code.exit
        }
    }
}
