import FoundationEssentials
import Glibc
import Testing

/// Runs the `openssl` command line on files of its own.
///
/// By posix_spawn: Foundation's Process leaks a little on Linux, and leaks fail the run under AddressSanitizer.
enum OpenSSLCommand {
    private static let path = "/usr/bin/openssl"

    static let isPresent = FileManager.default.isExecutableFile(atPath: path)

    /// Writes the files, runs the command with their whole paths in place of their names, and gives its exit status.
    static func run(_ arguments: [String], files: [String: String]) throws -> Int32 {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in files { try Data(text.utf8).write(to: directory.appending(path: name)) }
        return try spawn(
            [path] + arguments.map { files[$0] == nil ? $0 : directory.appending(path: $0).path }
        )
    }

    private static func spawn(_ arguments: [String]) throws -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        try #require(unsafe posix_spawn_file_actions_init(&actions) == 0)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 1...2 {
            try #require(
                unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0) == 0
            )
        }
        let pointers = unsafe arguments.map { unsafe strdup($0) }
        defer { unsafe pointers.forEach { unsafe free($0) } }
        var process: pid_t = 0
        try #require(unsafe posix_spawn(&process, path, &actions, nil, pointers + [nil], nil) == 0)
        var status: Int32 = 0
        try #require(unsafe waitpid(process, &status, 0) == process)
        // The macros WIFEXITED and WEXITSTATUS, which are not imported.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }
}
