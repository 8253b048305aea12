import FoundationEssentials
package import Glibc
import Locking

/// A folder for the files of a test, removed with this object, or at the end of the tests.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// The folders that are there, for the end of the tests: objects that are let go of at exit are not torn down.
    private static let present: Mutex<Set<String>> = {
        atexit { for path in TemporaryFolder.present.withLock({ $0 }) { TemporaryFolder.remove(path) } }
        return Mutex([])
    }()

    /// Makes a folder that nobody else can look into, with files of text by their names.
    package init(_ files: [String: String] = [:]) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "tests-\(UUID().uuidString)").path
        guard unsafe mkdir(path, 0o700) == 0 else { throw Command.Failure(number: errno) }
        _ = Self.present.withLock { [path] in $0.insert(path) }
        for (name, text) in files { try write(name, text) }
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        _ = present.withLock { $0.remove(path) }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in it.
    package subscript(name: String) -> String { "\(path)/\(name)" }

    /// The names of everything in it, in order.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// The names of everything in it but locks, in order.
    package var namesWithoutLocks: [String] { names.filter { !$0.hasSuffix(".lock") } }

    /// Writes a file with a mode, by other means than those under test, and answers its path.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8], mode: mode_t = 0o600) throws -> String {
        try Data(bytes).write(to: URL(filePath: self[name]))
        guard unsafe chmod(self[name], mode) == 0 else { throw Command.Failure(number: errno) }
        return self[name]
    }

    /// Writes a file of text with a mode and answers its path.
    @discardableResult
    package func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
        try write(name, Array(text.utf8), mode: mode)
    }

    package func bytes(_ name: String) throws -> [UInt8] { try FileContents.bytes(of: self[name]) }

    package func text(_ name: String) throws -> String { try FileContents.text(of: self[name]) }

    package func mode(_ name: String) throws -> mode_t {
        var status = stat()
        guard unsafe lstat(self[name], &status) == 0 else { throw Command.Failure(number: errno) }
        return status.st_mode & 0o7777
    }
}
