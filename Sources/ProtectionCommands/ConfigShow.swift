import Encodings
import HTTPMessages
import JSONWebTokens
import Protection

extension Command {
    static let configShow = Command(
        ["config", "show"],
        "show what a configuration line holds",
        discussion: ["A line that was cut or changed is refused, with the place of the fault."],
        operands: [
            .init(name: "FILE", kind: .file, summary: "the file with the line, or - for standard input")
        ],
        examples: [
            .init(purpose: "Show a configuration", line: "protection config show app.config"),
            .init(
                purpose: "List the protected hosts, for a script",
                line: "protection config show --json - < app.config"
            ),
        ],
        run: ConfigShow.run
    )
}

/// `config show`.
enum ConfigShow {
    static func run(_ invocation: Invocation) async throws {
        let line = try ConfigFile.line(invocation.arguments.operands[0], invocation.files, trust: .any)
        let configuration = try ProtectionConfiguration(parsing: line)
        guard invocation.console.isJSON else {
            return try invocation.console.write(try text(configuration, invocation.console.style))
        }
        try invocation.console.write(try json(configuration))
    }

    private static func text(_ configuration: ProtectionConfiguration, _ style: TextStyle) throws -> String {
        let key = configuration.authorityKey
        var rows = [
            ("authority", configuration.authority.absoluteString), ("account", configuration.account),
        ]
        rows += configuration.protectedHosts.map { ("host", $0.description) }
        for (host, set) in configuration.pins.hosts.sorted(by: { $0.key.description < $1.key.description }) {
            rows += pinRows(host.description, set)
        }
        if let others = configuration.pins.others { rows += pinRows("*", others) }
        rows.append(("key", "\(key.algorithm.rawValue), kid \(key.keyID ?? "none")"))
        rows.append(("thumbprint", try key.thumbprint()))
        return rows.map { name, value in
            let gap = String(repeating: " ", count: 12 - name.count)
            return style.bold(name) + gap + value.escapingControls
        }.joined(separator: "\n")
    }

    private static func pinRows(_ host: String, _ set: PinSet) -> [(String, String)] {
        var note = set.mode == .reportOnly ? ", only reported" : ""
        if let end = set.expiresAt { note += ", until \(Timestamp.text(end))" }
        guard !set.pins.isEmpty else { return [("pin", "\(host) none\(note)")] }
        return set.pins.map { ("pin", "\(host) \($0.base64)\(note)") }
    }

    private static func json(_ configuration: ProtectionConfiguration) throws -> JSONValue {
        [
            "authority": .string(configuration.authority.absoluteString),
            "account": .string(configuration.account),
            "hosts": .array(configuration.protectedHosts.map { .string($0.description) }),
            "pins": .object(configuration.pins.configurationObject),
            "key": .object(try configuration.authorityKey.publicObject()),
            "thumbprint": .string(try configuration.authorityKey.thumbprint()),
        ]
    }
}
