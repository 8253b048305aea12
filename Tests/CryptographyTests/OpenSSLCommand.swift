import FoundationEssentials
import TestSupport

/// Runs the `openssl` command line on files of its own.
enum OpenSSLCommand {
    private static let path = "/usr/bin/openssl"

    static let isPresent = FileManager.default.isExecutableFile(atPath: path)

    /// Writes the files, runs the command with their whole paths in place of their names, and gives its exit status.
    static func run(_ arguments: [String], files: [String: String]) async throws -> Int32 {
        let folder = try TemporaryFolder(files)
        defer { withExtendedLifetime(folder) {} }
        return try await Command.run(path, arguments.map { files[$0] == nil ? $0 : folder[$0] }).status
    }
}
