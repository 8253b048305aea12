import FoundationEssentials
import Glibc
import Testing

/// Runs command lines in a shell of their own, with the real binary in its path.
enum Shell {
    struct Result: Sendable {
        let exit: Int32
        let output: String
        let errors: String
    }

    /// The folder with the products of this build: the tests' own binary lies there too.
    static let products: String = {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }()

    /// A value in single quotes.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    static func isPresent(_ command: String) -> Bool {
        ["/bin/", "/usr/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + command) }
    }

    /// Runs a line in a folder; the line's output is kept in files there, so it can be of any length.
    static func run(_ line: String, in folder: Folder, shell: String = "/bin/sh") async throws -> Result {
        let script = try folder.write("script.sh", line)
        let command =
            "cd \(quoted(folder.path)) && PATH=\(quoted(products)):$PATH exec \(shell) \(quoted(script))"
            + " >script.out 2>script.err </dev/null"
        let status = try await spawned(command)
        return Result(
            exit: status,
            output: try folder.read("script.out"),
            errors: try folder.read("script.err")
        )
    }

    /// Waits on a thread of its own, so that a server in this process goes on.
    private static func spawned(_ command: String) async throws -> Int32 {
        try await withCheckedThrowingContinuation { continuation in
            let work = Work { continuation.resume(with: .init { try spawn(command) }) }
            let context = unsafe Unmanaged.passRetained(work).toOpaque()
            var thread = pthread_t()
            let status = unsafe pthread_create(
                &thread,
                nil,
                { context in
                    if let context = unsafe context {
                        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                    }
                    return nil
                },
                context
            )
            guard status == 0 else {
                unsafe Unmanaged<Work>.fromOpaque(context).release()
                return continuation.resume(throwing: Failure())
            }
            pthread_detach(thread)
        }
    }

    private struct Failure: Error {}

    private static func spawn(_ command: String) throws -> Int32 {
        let arguments = ["/bin/sh", "-c", command]
        let pointers = unsafe arguments.map { unsafe strdup($0) }
        defer { unsafe pointers.forEach { unsafe free($0) } }
        var process: pid_t = 0
        guard unsafe posix_spawn(&process, "/bin/sh", nil, nil, pointers + [nil], environ) == 0 else {
            throw Failure()
        }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) != process { guard errno == EINTR else { throw Failure() } }
        // The macros WIFEXITED and WEXITSTATUS, which are not imported.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }
}

private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
