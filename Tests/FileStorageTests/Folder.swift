import FoundationEssentials
import Glibc
import Testing

/// A folder of a test's own, removed when the test ends.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "storage-\(UUID().uuidString)").path
        try #require(unsafe mkdir(path, 0o700) == 0)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(name: String) -> String { "\(path)/\(name)" }

    /// The names of everything in it, in order.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    /// Writes a file with a mode, by other means than those under test.
    func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws {
        try Data(text.utf8).write(to: URL(filePath: self[name]))
        try #require(unsafe chmod(self[name], mode) == 0)
    }

    func mode(_ name: String) throws -> mode_t {
        var status = stat()
        try #require(unsafe lstat(self[name], &status) == 0)
        return status.st_mode & 0o7777
    }
}
