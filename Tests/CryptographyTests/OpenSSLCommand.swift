import FoundationEssentials
import TestSupport

/// Runs the `openssl` command line on files of its own.
enum OpenSSLCommand {
    private static let path = "/usr/bin/openssl"

    static let isPresent = FileManager.default.isExecutableFile(atPath: path)

    /// Writes the files, runs the command with their whole paths in place of their names, and gives its exit status.
    static func run(_ arguments: [String], files: [String: String]) async throws -> Int32 {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in files { try Data(text.utf8).write(to: directory.appending(path: name)) }
        return try await Command.run(
            path,
            arguments.map { files[$0] == nil ? $0 : directory.appending(path: $0).path }
        ).status
    }
}
