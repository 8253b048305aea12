import Encodings
import TestSupport
import Testing

@testable import ProtectionCommands

@Suite("Manual and completion", .timeLimit(.minutes(2))) struct GeneratedTextTests {
    @Test func theManualNamesEverything() async throws {
        let run = await Run(["man"])
        #expect(run.exit == .ok && run.output.hasPrefix(".TH \"PROTECTION\" \"1\""))
        for command in CommandTable.commands {
            #expect(run.output.contains(".SS " + ManPage.escaped(command.name)))
            for option in command.options {
                #expect(run.output.contains("\\-\\-" + ManPage.escaped(option.long)))
            }
            for example in command.examples { #expect(run.output.contains(ManPage.escaped(example.line))) }
        }
        #expect(try await Run(["man", "--json"]).json()["format"] == "roff")
    }

    @Test(arguments: [
        ("groff", "groff -man -ww -Tutf8 page"), ("mandoc", "mandoc -Tlint -Wwarning page"),
        ("man", "man --warnings=w -E UTF-8 -l page"),
    ])
    func aFormatterFindsNoFault(command: String, line: String) async throws {
        guard Shell.isPresent(command) else { return }
        let folder = try TemporaryFolder()
        try folder.write("page", ManPage.text + "\n")
        let result = try await Shell.run("\(line) > rendered", in: folder)
        #expect(
            result.exit == 0 && result.errors == "" && result.output == "",
            "\(result.errors)\(result.output)"
        )
        if command != "mandoc" {
            let page = try folder.text("rendered")
            #expect(page.contains("Make a configuration that protects one host"))
            #expect(page.contains(#"echo '{"device":"test"}' | protection token mint"#))
        }
    }

    @Test(arguments: [
        (".x", "\\&.x"), ("'x'", "\\&\\(aqx\\(aq"), ("a-b\\n", "a\\-b\\en"),
        ("~^`\"", "\\(ti\\(ha\\(ga\\(dq"),
    ])
    func roffIsEscaped(text: String, expected: String) { #expect(ManPage.escaped(text) == expected) }

    @Test(arguments: ["bash", "zsh", "fish"]) func aScriptNamesEverything(shell: String) async throws {
        let run = await Run(["completion", shell])
        #expect(run.exit == .ok)
        for command in CommandTable.commands {
            for word in command.path { #expect(run.output.contains(word)) }
            for option in command.options { #expect(run.output.contains(option.long)) }
        }
        #expect(try await Run(["completion", shell, "--json"]).json()["shell"] == .string(shell))
        guard Shell.isPresent(shell) else { return }
        let folder = try TemporaryFolder()
        try folder.write("completion", run.output)
        let result = try await Shell.run("\(shell) -n completion", in: folder)
        #expect(result.exit == 0 && result.errors == "", "\(result.errors)")
    }

    @Test(arguments: [
        (
            "protection ''",
            [
                "config", "token", "request", "pins", "sfv", "signature", "digest", "attest", "aws", "keys",
                "completion",
                "man",
                "help", "--version", "--json", "--help",
            ]
        ),
        ("protection t", ["token"]), ("protection token ''", ["mint", "show", "verify", "--json", "--help"]),
        ("protection token mint --is", ["--issuer"]),
        ("protection token mint --alg E", ["ES256", "ES384", "EdDSA"]),
        ("protection signature sign --al", ["--alg"]),
        ("protection signature sign --digest sha-5", ["sha-512"]),
        ("protection completion ''", ["bash", "zsh", "fish", "--json", "--help"]),
        ("protection config show a", ["a file.config", "app.config"]),
        ("protection request -o a", ["a file.config", "app.config"]),
        ("protection token mint --issuer ''", []),
    ])
    func bashCompletes(words: String, expected: [String]) async throws {
        guard Shell.isPresent("bash") else { return }
        let folder = try TemporaryFolder()
        try folder.write("completion", CompletionScript.text(for: "bash"))
        try folder.write("app.config", "")
        try folder.write("a file.config", "")
        let script = """
            source ./completion
            COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _protection
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try await Shell.run(script, in: folder, shell: "/bin/bash")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(result.errors == "" && Set(lines) == Set(expected), "\(lines)")
    }
}
