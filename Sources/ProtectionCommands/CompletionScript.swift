import Encodings

/// Scripts that complete command lines, made from the table of commands.
enum CompletionScript {
    static let shells = ["bash", "zsh", "fish"]

    static func text(for shell: String) -> String {
        switch shell {
        case "zsh": zsh
        case "fish": fish
        default: bash
        }
    }

    /// All paths at which something can be completed, the longest first.
    private static var paths: [Command] {
        (CommandTable.commands + CommandTable.groups).sorted { $0.path.count > $1.path.count }
    }

    // MARK: - bash

    private static var bash: String {
        """
        # bash completion for protection; load it with: source <(protection completion bash)
        _protection() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
            local line=" ${COMP_WORDS[*]:1:COMP_CWORD - 1} " words="" files=""
            COMPREPLY=()
            case $line in
        \(paths.map(bashCase).joined(separator: "\n"))
            esac
            mapfile -t COMPREPLY < <(
                compgen -W "$words" -- "$current"
                if [[ -n $files ]]; then compgen -f -- "$current"; fi
            )
        }
        complete -o filenames -F _protection protection
        """
    }

    private static func bashCase(_ command: Command) -> String {
        let pattern = command.path.isEmpty ? "*" : "\" \(command.path.joined(separator: " ")) \"*"
        var values: [String] = []
        for option in command.options where option.valueName != nil {
            let names = ["--\(option.long)"] + (option.short.map { ["-\($0)"] } ?? [])
            let action =
                switch option.kind {
                case .file: "files=1"
                case .choice(let names): "words=\"\(names.joined(separator: " "))\""
                case .text: ":"
                }
            values.append("            \(names.joined(separator: "|"))) \(action) ;;")
        }
        let options = command.options.map { "--\($0.long)" }
        let words = (CommandTable.words(after: command.path) + choices(command) + options).joined(
            separator: " "
        )
        let files = command.operands.contains { $0.kind == .file } ? "; files=1" : ""
        let body = (values + ["            *) words=\"\(words)\"\(files) ;;"]).joined(separator: "\n")
        return """
                \(pattern))
                    case $previous in
            \(body)
                    esac ;;
            """
    }

    private static func choices(_ command: Command) -> [String] {
        command.operands.flatMap { operand -> [String] in
            if case .choice(let names) = operand.kind { names } else { [] }
        }
    }

    // MARK: - zsh

    private static var zsh: String {
        """
        #compdef protection
        # zsh completion for protection; put it in a folder of $fpath as _protection
        _protection() {
            local line=" ${(j: :)words[2,CURRENT-1]} "
            case $line in
        \(paths.map(zshCase).joined(separator: "\n"))
            esac
        }
        _protection "$@"
        """
    }

    private static func zshCase(_ command: Command) -> String {
        let pattern = command.path.isEmpty ? "*" : "\" \(command.path.joined(separator: " ")) \"*"
        let words = CommandTable.words(after: command.path)
        let shift =
            command.path.isEmpty
            ? "" : "shift \(command.path.count) words; (( CURRENT -= \(command.path.count) ))\n        "
        var specifications = command.options.map(zshOption)
        if !words.isEmpty { specifications.append("'1:command:(\(words.joined(separator: " ")))'") }
        specifications += command.operands.map { operand in
            let place = operand.isRepeatable ? "*" : ""
            return "'\(place):\(operand.name.lowercased()):\(zshAction(operand.kind))'"
        }
        return """
                \(pattern))
                    \(shift)_arguments \\
                        \(specifications.joined(separator: " \\\n            ")) ;;
            """
    }

    private static func zshOption(_ option: CommandOption) -> String {
        let text = option.summary.filter { !"[]:'\\".contains($0) }
        let value =
            option.valueName.map { ":\($0.lowercased().filter { $0 != ":" }):\(zshAction(option.kind))" }
            ?? ""
        let star = option.isRepeatable ? "*" : ""
        guard let short = option.short else { return "'\(star)--\(option.long)[\(text)]\(value)'" }
        guard option.isRepeatable else {
            return "'(-\(short) --\(option.long))'{-\(short),--\(option.long)}'[\(text)]\(value)'"
        }
        return "'*'{-\(short),--\(option.long)}'[\(text)]\(value)'"
    }

    private static func zshAction(_ kind: CommandOption.Kind) -> String {
        switch kind {
        case .text: " "
        case .file: "_files"
        case .choice(let names): "(\(names.joined(separator: " ")))"
        }
    }

    // MARK: - fish

    private static var fish: String {
        var lines = [
            "# fish completion for protection; put it in ~/.config/fish/completions/protection.fish",
            "complete -c protection -f",
        ]
        for command in CommandTable.groups + CommandTable.commands { lines += fishLines(command) }
        return lines.joined(separator: "\n")
    }

    private static func fishLines(_ command: Command) -> [String] {
        let words = CommandTable.words(after: command.path)
        let seen = command.path.map { "__fish_seen_subcommand_from \($0)" }
        let unseen = words.isEmpty ? [] : ["not __fish_seen_subcommand_from \(words.joined(separator: " "))"]
        let condition = "-n '\((seen + unseen).joined(separator: "; and "))'"
        let start = "complete -c protection \(condition)"
        var lines = words.map { word in
            let summary = CommandTable.command(at: command.path + [word])?.summary ?? ""
            return "\(start) -a \(word) -d \(summary.quotedForShell)"
        }
        for option in command.options {
            let short = option.short.map { " -s \($0)" } ?? ""
            let value = option.valueName == nil ? "" : " -r" + fishValues(option.kind)
            lines.append("\(start) -l \(option.long)\(short)\(value) -d \(option.summary.quotedForShell)")
        }
        lines += command.operands.compactMap { operand in
            switch operand.kind {
            case .text: nil
            case .file: "\(start) -F"
            case .choice(let names): "\(start) -a '\(names.joined(separator: " "))'"
            }
        }
        return lines
    }

    private static func fishValues(_ kind: CommandOption.Kind) -> String {
        switch kind {
        case .text: ""
        case .file: " -F"
        case .choice(let names): " -a '\(names.joined(separator: " "))'"
        }
    }
}

extension Command {
    static let completion = Command(
        ["completion"],
        "print a script that completes command lines",
        operands: [
            .init(
                name: "SHELL",
                kind: .choice(CompletionScript.shells),
                summary: "the shell: bash, zsh or fish"
            )
        ],
        examples: [
            .init(purpose: "Install it for bash", line: "protection completion bash > protection.bash"),
            .init(purpose: "Install it for zsh", line: "protection completion zsh > _protection"),
            .init(purpose: "Install it for fish", line: "protection completion fish > protection.fish"),
        ]
    ) { invocation in
        let shell = invocation.arguments.operands[0]
        let script = CompletionScript.text(for: shell)
        guard invocation.console.isJSON else { return try invocation.console.write(script) }
        try invocation.console.write(["shell": .string(shell), "script": .string(script)])
    }
}
