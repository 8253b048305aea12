import FoundationEssentials
import Glibc

/// A program that runs until this object goes.
package final class Daemon: Sendable {
    private let process: pid_t

    /// Starts a program, found in the path, and waits until it takes connections on a port of this machine.
    ///
    /// - Throws: `Command.Failure` when it cannot be started or takes none within ten seconds.
    package init(_ program: String, _ arguments: [String], log: String, port: Int) async throws {
        let process = try Self.spawn(program, arguments, log: log)
        do {
            try await blocking { try Self.wait(for: port) }
        } catch {
            Self.end(process)
            throw error
        }
        self.process = process
    }

    deinit { Self.end(process) }

    private static func end(_ process: pid_t) {
        kill(process, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    private static func spawn(_ program: String, _ arguments: [String], log: String) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(
            &actions,
            STDOUT_FILENO,
            log,
            O_WRONLY | O_CREAT | O_APPEND,
            0o600
        )
        unsafe posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        let pointers = unsafe ([program] + arguments).map { unsafe strdup($0) }
        defer { unsafe pointers.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let status = unsafe posix_spawnp(&process, program, &actions, nil, pointers + [nil], environ)
        guard status == 0 else { throw Command.Failure(number: status) }
        return process
    }

    private static func wait(for port: Int) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        for _ in 0..<2_000 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            let isConnected = unsafe withUnsafeBytes(of: &address) { bytes in
                let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
                return unsafe connect(descriptor, address, socklen_t(bytes.count)) == 0
            }
            if isConnected { return }
            usleep(5_000)
        }
        throw Command.Failure(number: ETIMEDOUT)
    }
}
