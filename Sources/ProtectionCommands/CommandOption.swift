/// One option of a command.
struct CommandOption: Sendable {
    /// What a value is, for completion.
    enum Kind: Sendable, Hashable {
        case text
        case file
        case choice([String])
    }

    /// The name after two dashes.
    let long: String
    /// The letter after one dash.
    let short: Character?
    /// What stands for the value in the help; nil for an option without one.
    let valueName: String?
    let kind: Kind
    let summary: String
    let isRequired: Bool
    let isRepeatable: Bool

    private init(
        _ long: String,
        short: Character?,
        valueName: String?,
        kind: Kind,
        summary: String,
        isRequired: Bool,
        isRepeatable: Bool
    ) {
        self.long = long
        self.short = short
        self.valueName = valueName
        self.kind = kind
        self.summary = summary
        self.isRequired = isRequired
        self.isRepeatable = isRepeatable
    }

    /// An option without a value.
    static func flag(_ long: String, short: Character? = nil, _ summary: String) -> CommandOption {
        CommandOption(
            long,
            short: short,
            valueName: nil,
            kind: .text,
            summary: summary,
            isRequired: false,
            isRepeatable: false
        )
    }

    /// An option with a value.
    static func value(
        _ long: String,
        short: Character? = nil,
        _ valueName: String,
        _ summary: String,
        kind: Kind = .text,
        isRequired: Bool = false,
        isRepeatable: Bool = false
    ) -> CommandOption {
        CommandOption(
            long,
            short: short,
            valueName: valueName,
            kind: kind,
            summary: summary,
            isRequired: isRequired,
            isRepeatable: isRepeatable
        )
    }

    /// An option whose value is a file's path.
    static func file(_ long: String, _ summary: String, isRequired: Bool = false) -> CommandOption {
        value(long, "FILE", summary, kind: .file, isRequired: isRequired)
    }

    /// The long name and the value, as they are typed.
    var spelling: String { valueName.map { "--\(long) \($0)" } ?? "--\(long)" }

    /// Both names and the value, as the help shows them.
    var synopsis: String { short.map { "-\($0), \(spelling)" } ?? "    \(spelling)" }

    static let json = flag("json", "write one line of JSON, errors too")
    static let help = flag("help", short: "h", "show this help")
}
