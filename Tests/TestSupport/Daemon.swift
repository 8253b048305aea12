import FoundationEssentials
import Glibc
import Locking

/// A program that runs until this object goes, or the tests end.
package final class Daemon: Sendable {
    private let process: pid_t

    /// The programs that run, for the end of the tests: objects that are let go of at exit are not torn down.
    private static let running: Mutex<Set<pid_t>> = {
        atexit { for process in Daemon.running.withLock({ $0 }) { Daemon.end(process) } }
        return Mutex([])
    }()

    /// Starts a program, found in the path, and waits until it takes connections on a port of this machine.
    ///
    /// - Throws: `Command.Failure` when it cannot be started, ends early, or takes none within ten seconds.
    package init(_ program: String, _ arguments: [String], log: String, port: Int) async throws {
        let process = try Self.spawn(program, arguments, log: log)
        _ = Self.running.withLock { $0.insert(process) }
        do {
            try await blocking { try Self.wait(for: port, of: process) }
        } catch {
            Self.end(process)
            throw error
        }
        self.process = process
    }

    deinit { Self.end(process) }

    private static func end(_ process: pid_t) {
        // Under the lock, so that nobody ends a process that has got the number since.
        running.withLock { running in
            guard running.remove(process) != nil else { return }
            kill(process, SIGKILL)
            var status: Int32 = 0
            while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }

    private static func spawn(_ program: String, _ arguments: [String], log: String) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let created = O_WRONLY | O_CREAT | O_APPEND
        for status in unsafe [
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, created, 0o600),
            posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO),
        ] {
            guard status == 0 else { throw Command.Failure(number: status) }
        }
        // A socket of a test that lived on in the program would never be seen to close. One that is not there is no error.
        for descriptor in STDERR_FILENO + 1..<256 {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        // Swift's threads block most signals, and programs inherit that.
        var attributes = posix_spawnattr_t()
        var mask = sigset_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe sigemptyset(&mask)
        for status in unsafe [
            posix_spawnattr_setsigmask(&attributes, &mask),
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK)),
        ] {
            guard status == 0 else { throw Command.Failure(number: status) }
        }
        let pointers = unsafe ([program] + arguments).map { unsafe strdup($0) }
        defer { unsafe pointers.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let status = unsafe posix_spawnp(&process, program, &actions, &attributes, pointers + [nil], environ)
        guard status == 0 else { throw Command.Failure(number: status) }
        return process
    }

    private static func wait(for port: Int, of process: pid_t) throws {
        for _ in 0..<2_000 {
            if let connection = Loopback.connect(to: port) {
                close(connection)
                return
            }
            // Looked at and left, so that `end` still finds it.
            var information = unsafe siginfo_t()
            let options = WEXITED | WNOHANG | WNOWAIT
            guard unsafe waitid(P_PID, id_t(process), &information, options) == 0,
                unsafe information.si_signo == 0
            else { throw Command.Failure(number: ECHILD) }
            usleep(5_000)
        }
        throw Command.Failure(number: ETIMEDOUT)
    }
}
