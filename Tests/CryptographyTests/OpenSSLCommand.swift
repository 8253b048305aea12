import Foundation

/// Runs the `openssl` command line in a directory of its own.
enum OpenSSLCommand {
    private static let path = "/usr/bin/openssl"

    static let isPresent = FileManager.default.isExecutableFile(atPath: path)

    /// Writes the files, runs the command among them, and gives its exit status.
    static func run(_ arguments: [String], files: [String: String]) throws -> Int32 {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in files { try Data(text.utf8).write(to: directory.appending(path: name)) }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
