/// One command of the table, from which parsing, help, completion and the manual page are all made.
struct Command: Sendable {
    /// A command line that works, which the tests run as it stands.
    struct Example: Sendable {
        /// What it does, as a sentence without its full stop.
        let purpose: String
        /// What is typed into a shell.
        let line: String
    }

    /// An argument that is not an option.
    struct Operand: Sendable {
        let name: String
        let kind: CommandOption.Kind
        let summary: String
        var isOptional = false
        /// Whether any number may follow.
        var isRepeatable = false
    }

    /// The words that name it, for example `token mint`; empty for the tool itself.
    let path: [String]
    let summary: String
    /// Paragraphs that say what the options cannot.
    let discussion: [String]
    let options: [CommandOption]
    let operands: [Operand]
    let examples: [Example]
    /// Whether it stands for nothing but the commands whose words start with its own.
    let isGroup: Bool
    let run: @Sendable (Invocation) async throws -> Void

    init(
        _ path: [String],
        _ summary: String,
        discussion: [String] = [],
        options: [CommandOption] = [],
        operands: [Operand] = [],
        examples: [Example],
        isGroup: Bool = false,
        run: @escaping @Sendable (Invocation) async throws -> Void
    ) {
        self.path = path
        self.summary = summary
        self.discussion = discussion
        self.options = options + [.json, .help]
        self.operands = operands
        self.examples = examples
        self.isGroup = isGroup
        self.run = run
    }

    /// The command as it is typed.
    var name: String { (["protection"] + path).joined(separator: " ") }

    /// How it is called, in one line.
    var usage: String {
        guard !isGroup else { return "\(name) COMMAND [OPTION]..." }
        let required = options.filter(\.isRequired).map(\.spelling)
        let words = operands.map { operand in
            let name = operand.isRepeatable ? "\(operand.name)..." : operand.name
            return operand.isOptional ? "[\(name)]" : name
        }
        return ([name] + required + ["[OPTION]..."] + words).joined(separator: " ")
    }
}
