import FoundationEssentials
import Glibc

/// A program that is run to its end.
///
/// By posix_spawn: Foundation's Process leaks a little on Linux, and leaks fail the run under AddressSanitizer.
package struct Command: Sendable {
    /// A program that could not be started, and why.
    package struct Failure: Error {
        /// The operating system's error number.
        package let number: Int32
    }

    /// The exit status; -1 when a signal ended the program.
    package let status: Int32
    /// What it wrote to standard output and standard error.
    package let output: String

    /// Runs a program, found in the path, with nothing to read unless given.
    package static func run(
        _ program: String,
        _ arguments: [String],
        input: [UInt8] = []
    ) async throws -> Command {
        try await blocking { try Command(program, arguments, input) }
    }

    private init(_ program: String, _ arguments: [String], _ input: [UInt8]) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "command-\(UUID().uuidString)").path
        let inputFile = input.isEmpty ? "/dev/null" : file + "-input"
        defer { unsafe unlink(file) }
        if !input.isEmpty { try Data(input).write(to: URL(filePath: inputFile)) }
        defer { if !input.isEmpty { unsafe unlink(inputFile) } }
        status = try Self.spawn(program, arguments, input: inputFile, output: file)
        output = try FileContents.text(of: file)
    }

    private static func spawn(
        _ program: String,
        _ arguments: [String],
        input: String,
        output: String
    ) throws -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let created = O_WRONLY | O_CREAT | O_TRUNC
        for status in unsafe [
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0),
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, created, 0o600),
            posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO),
        ] {
            guard status == 0 else { throw Failure(number: status) }
        }
        // Swift's threads block most signals, and a program that inherits that never hears of the end of its own children.
        var attributes = posix_spawnattr_t()
        var mask = sigset_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe sigemptyset(&mask)
        for status in unsafe [
            posix_spawnattr_setsigmask(&attributes, &mask),
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK)),
        ] {
            guard status == 0 else { throw Failure(number: status) }
        }
        let pointers = unsafe ([program] + arguments).map { unsafe strdup($0) }
        defer { unsafe pointers.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let spawned = unsafe posix_spawnp(&process, program, &actions, &attributes, pointers + [nil], environ)
        guard spawned == 0 else { throw Failure(number: spawned) }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) != process {
            guard errno == EINTR else { throw Failure(number: errno) }
        }
        // The macros WIFEXITED and WEXITSTATUS, which are not imported.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }
}
