import TestSupport
import Testing

@testable import ProtectionCommands

/// The real binary, in a real shell.
@Suite("Process", .timeLimit(.minutes(5))) struct ProcessTests {
    struct Line: Sendable, CustomTestStringConvertible {
        let command: String
        let text: String
        var testDescription: String { text }
    }

    private static let examples = CommandTable.commands.flatMap { command in
        command.examples.map { Line(command: command.name, text: $0.line) }
    }

    private static let server = Result { try SecureServer() }

    @Test(arguments: examples) func anExampleWorksAsItIsWritten(line: Line) async throws {
        let folder = try TemporaryFolder()
        let server = try Self.server.get()
        let isRequest = line.command == "protection request"
        // The host of the examples is this machine's, and its root is not one of the system's.
        try await Keys.write(to: folder, hosts: [isRequest ? "localhost" : "api.example.com"])
        try folder.write("ca.pem", server.root, mode: 0o644)
        let minted = try await Shell.run(
            "protection token mint --key private.jwk --audience api.example.com > token.jwt",
            in: folder
        )
        try #require(minted.exit == 0, "\(minted.errors)")
        let text = line.text.replacing(
            "https://api.example.com",
            with: "--cacert ca.pem https://localhost:\(server.port)"
        )
        let result = try await Shell.run("set -e\n\(text)", in: folder)
        #expect(result.exit == 0, "\(result.errors)")
        if !text.contains(">") { #expect(!result.output.isEmpty) }
        if !text.contains(" -v ") { #expect(result.errors.isEmpty, "\(result.errors)") }
    }

    @Test(
        arguments: [
            ("protection --version", 0), ("protection", 2), ("protection config show absent", 3),
            ("echo hello | protection config show -", 1), ("protection --version > /dev/full", 3),
            ("protection token show - < /", 3), ("protection config show - <&-", 3),
            ("protection >&- 2>&-", 2), ("protection config show - <&- >&-", 3),
        ] as [(String, Int32)]
    )
    func theExitCodeTellsHowItEnded(line: String, exit: Int32) async throws {
        let result = try await Shell.run(line, in: TemporaryFolder())
        #expect(result.exit == exit, "\(result.errors)")
        #expect(!result.output.contains("\u{1B}") && !result.errors.contains("\u{1B}"))
    }

    /// What is opened later would take the place of the stream, and be written to in its stead.
    @Test(arguments: ["request", "pins"]) func nothingTakesThePlaceOfAClosedStream(
        command: String
    ) async throws {
        let server = try Self.server.get()
        let folder = try TemporaryFolder()
        try folder.write("ca.pem", server.root, mode: 0o644)
        let line = "protection \(command) --cacert ca.pem https://localhost:\(server.port)"
        let result = try await Shell.run("\(line) >&-", in: folder)
        #expect(result.exit == 3 && result.errors.contains("unwritable"), "\(result.errors)")
    }

    @Test func theSecretsOfTLSStayInTheProcess() async throws {
        let server = try Self.server.get()
        let folder = try TemporaryFolder()
        try folder.write("ca.pem", server.root, mode: 0o644)
        let result = try await Shell.run(
            "SSLKEYLOGFILE=keys.log protection request --cacert ca.pem https://localhost:\(server.port)",
            in: folder
        )
        #expect(result.exit == 0, "\(result.errors)")
        // libcurl makes the file when it starts.
        if folder.names.contains("keys.log") { #expect(try folder.bytes("keys.log").isEmpty) }
    }

    @Test func secretsComeFromTheEnvironmentAndPipes() async throws {
        let folder = try TemporaryFolder()
        try await Keys.write(to: folder)
        let result = try await Shell.run(
            """
            set -e
            cat private.pem | protection token mint --key - --audience a --bind-env CRED > t.jwt
            protection token verify --key public.pem --audience a --bind-env CRED t.jwt --json
            """.replacing("set -e", with: "set -e; export CRED='Bearer x'"),
            in: folder
        )
        #expect(result.exit == 0 && result.output.contains(#""bindingChecked":true"#), "\(result.errors)")
    }
}
