import Encodings
import Testing

@testable import ProtectionCommands

@Suite("Table of commands", .timeLimit(.minutes(2))) struct TableTests {
    @Test(arguments: CommandTable.commands.map(\.path)) func aCommandIsComplete(path: [String]) throws {
        let command = try #require(CommandTable.command(at: path))
        #expect(!command.examples.isEmpty && !command.summary.isEmpty)
        #expect(Set(command.options.map(\.long)).count == command.options.count)
        let letters = command.options.compactMap(\.short)
        #expect(Set(letters).count == letters.count)
        #expect(
            command.options.contains { $0.long == "json" } && command.options.contains { $0.long == "help" }
        )
        #expect(command.examples.allSatisfy { $0.line.contains("protection ") && !$0.purpose.hasSuffix(".") })
        #expect(CommandTable.commands.count { $0.path == path } == 1)
        #expect(path.count == 1 || CommandTable.command(at: [path[0]])?.isGroup == true)
    }

    @Test(arguments: (CommandTable.commands + CommandTable.groups).map(\.path))
    func aCommandHasHelp(path: [String]) async throws {
        let command = try #require(CommandTable.command(at: path))
        for arguments in [path + ["--help"], path + ["-h"], ["help"] + path] {
            let run = await Run(arguments)
            #expect(run.exit == .ok && run.errors == "")
            #expect(run.output.contains("Usage:\n  \(command.name) "))
            for example in command.examples { #expect(run.output.contains(example.line)) }
            for option in command.options { #expect(run.output.contains("--\(option.long)")) }
        }
    }

    @Test func helpStaysWithinEightyColumns() async {
        for command in CommandTable.commands + CommandTable.groups {
            let text = HelpText.text(of: command, style: TextStyle(isOn: false))
            let examples = CommandTable.commands.flatMap { $0.examples.map { "  \($0.line)" } }
            for line in text.split(separator: "\n") where !examples.contains(String(line)) {
                #expect(line.count <= 80, "\(line)")
            }
        }
    }

    @Test func helpIsAlsoJSON() async throws {
        let commands = try await Run(["help", "--json"]).json()["commands"]?.array
        #expect(commands?.count == CommandTable.commands.count)
        let mint = try await Run(["token", "mint", "--help", "--json"]).json()["commands"]?.array?.first?
            .object
        #expect(mint?["name"] == "token mint")
        let names = mint?["options"]?.array?.compactMap { $0.object?["long"]?.string }
        #expect(names?.contains("--key") == true)
    }

    @Test func helpKnowsTheCommandsOnly() async {
        #expect(await Run(["help", "tokn"]).exit == .usage)
        #expect(await Run(["help", "token", "mint", "more"]).exit == .usage)
    }

    @Test func theVersionIsShown() async throws {
        #expect(await Run(["--version"]).output == "protection \(Tool.version)\n")
        #expect(await Run(["-V"]).exit == .ok)
        #expect(try await Run(["--version", "--json"]).json()["version"] == .string(Tool.version))
    }
}
