import FoundationEssentials
import TestSupport

/// Runs command lines in a shell of their own, with the real binary in its path.
enum Shell {
    struct Result: Sendable {
        let exit: Int32
        let output: String
        let errors: String
    }

    /// A value in single quotes.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    static func isPresent(_ command: String) -> Bool {
        ["/bin/", "/usr/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + command) }
    }

    /// Runs a line in a folder; the line's output is kept in files there, so it can be of any length.
    static func run(
        _ line: String,
        in folder: TemporaryFolder,
        shell: String = "/bin/sh"
    ) async throws -> Result {
        let script = try folder.write("script.sh", line)
        let command =
            "cd \(quoted(folder.path)) && PATH=\(quoted(PackageFolders.products)):$PATH exec \(shell) \(quoted(script))"
            + " >script.out 2>script.err </dev/null"
        let status = try await Command.run("/bin/sh", ["-c", command]).status
        return Result(
            exit: status,
            output: try folder.text("script.out"),
            errors: try folder.text("script.err")
        )
    }
}
