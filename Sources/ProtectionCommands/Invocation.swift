import Timing

/// One call of a command: what was asked, and what it works with.
struct Invocation: Sendable {
    let command: Command
    let arguments: ParsedArguments
    let surroundings: Surroundings
    let console: Console
    let files: InputFiles

    var time: TimeSource { surroundings.time }

    /// An error of the command line.
    func usage(_ message: String) -> ToolError { ToolError(.usage, message) }
}
