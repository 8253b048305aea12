import Encodings

/// The manual page, in the man macros of roff.
enum ManPage {
    static var text: String {
        var lines = [
            "."
                + macro(
                    "TH",
                    [
                        "PROTECTION", "1", Tool.versionDate, "swift-protection \(Tool.version)",
                        "User Commands",
                    ]
                ),
            ".SH NAME", "protection \\- " + escaped(CommandTable.groups[0].summary),
            ".SH SYNOPSIS",
        ]
        for command in CommandTable.commands {
            lines += [
                ".B " + escaped(command.name),
                escaped(String(command.usage.dropFirst(command.name.count + 1))),
            ]
            lines.append(".br")
        }
        lines.removeLast()
        lines.append(".SH DESCRIPTION")
        lines += paragraphs(description)
        lines.append(".SH COMMANDS")
        for command in CommandTable.commands { lines += section(command) }
        lines += [".SH EXIT STATUS"]
        lines += definitions(exitStatus)
        lines += [".SH ENVIRONMENT"]
        lines += definitions(environment)
        lines += [".SH SEE ALSO", ".BR curl (1),", ".BR openssl (1)"]
        return lines.joined(separator: "\n")
    }

    private static let description = [
        "protection makes configurations and tokens, reads and verifies them, and sends requests that carry them.",
        "An argument of - where a file is expected stands for standard input. No secret is ever taken from the "
            + "command line, where all users of a machine can read it: keys, tokens and credentials come from files, "
            + "the environment or standard input. A key file that others may write is refused.",
    ]

    private static let exitStatus = [
        ("0", "The command did what was asked."),
        ("1", "What it was given is refused or invalid."),
        ("2", "The command line cannot be understood."),
        ("3", "A file, the network or the machine gave trouble."),
    ]

    private static let environment = [
        (
            "NO_COLOR",
            "When set and not empty, nothing is coloured. Nothing is either where output is no terminal."
        ),
        ("TERM", "When it is dumb, nothing is coloured."),
        (
            "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN",
            "The credentials for the aws commands, unless --profile or --credentials asks for others."
        ),
        ("AWS_PROFILE", "The profile of the shared files, by default the one named default."),
        (
            "AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE",
            "The shared files, by default ~/.aws/config and ~/.aws/credentials."
        ),
        ("AWS_REGION, AWS_DEFAULT_REGION", "The region for the aws commands, unless --region gives one."),
        ("TPM2OPENSSL_TCTI", "The TPM for --provider tpm2, by default /dev/tpmrm0."),
        (
            "PKCS11_PROVIDER_MODULE",
            "The module for --provider pkcs11, unless the configuration of --provider-config names one."
        ),
    ]

    private static func section(_ command: Command) -> [String] {
        var lines = [".SS " + escaped(command.name), escaped(capitalised(command.summary))]
        lines += command.discussion.flatMap { [".PP", escaped($0)] }
        let operands = command.operands.map { ($0.name, $0.summary) }
        let options = command.options.map { option in
            (option.synopsis.drop { $0 == " " }, HelpText.description(of: option))
        }
        lines += definitions(operands.map { (String($0.0), $0.1) })
        lines += definitions(options.map { (String($0.0), $0.1) })
        for example in command.examples {
            lines += [
                ".PP", escaped(example.purpose) + ":", ".PP", ".RS 4", ".EX", escaped(example.line), ".EE",
                ".RE",
            ]
        }
        return lines
    }

    private static func definitions(_ rows: [(String, String)]) -> [String] {
        rows.flatMap { [".TP", ".B " + escaped($0.0), escaped(capitalised($0.1))] }
    }

    private static func paragraphs(_ texts: [String]) -> [String] {
        texts.enumerated().flatMap { ($0.offset == 0 ? [] : [".PP"]) + [escaped($0.element)] }
    }

    /// A sentence of the table, which starts in lower case and has no full stop.
    private static func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }

    private static func macro(_ name: String, _ arguments: [String]) -> String {
        ([name] + arguments.map { "\"\(escaped($0))\"" }).joined(separator: " ")
    }

    /// Text in which roff finds no requests: a backslash, a leading dot or quote would be one.
    static func escaped(_ text: String) -> String {
        var output = ""
        for character in text {
            switch character {
            case "\\": output += "\\e"
            case "-": output += "\\-"
            case "'": output += output.isEmpty ? "\\&\\(aq" : "\\(aq"
            case "\"": output += "\\(dq"
            case "^": output += "\\(ha"
            case "~": output += "\\(ti"
            case "`": output += "\\(ga"
            case ".": output += output.isEmpty ? "\\&." : "."
            default: output.append(character)
            }
        }
        return output
    }
}

extension Command {
    static let man = Command(
        ["man"],
        "print the manual page",
        examples: [
            .init(purpose: "Read the manual", line: "protection man | man -l -"),
            .init(purpose: "Write it to a file, to be installed", line: "protection man > protection.1"),
        ]
    ) { invocation in
        guard invocation.console.isJSON else { return try invocation.console.write(ManPage.text) }
        try invocation.console.write(["format": "roff", "page": .string(ManPage.text)])
    }
}
