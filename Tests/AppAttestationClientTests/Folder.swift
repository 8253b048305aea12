import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A folder of a test's own, removed when the test ends.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "attestation-\(UUID().uuidString)").path
        try #require(unsafe mkdir(path, 0o700) == 0)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(name: String) -> String { "\(path)/\(name)" }

    /// The names of everything in it but locks, in order.
    var names: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { !$0.hasSuffix(".lock") }.sorted()
    }

    func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws {
        try Data(text.utf8).write(to: URL(filePath: self[name]))
        try #require(unsafe chmod(self[name], mode) == 0)
    }

    func read(_ name: String) throws -> String { try TextFile.read(self[name]) }

    func remove(where isGone: (String) -> Bool) throws {
        for name in names where isGone(name) { try FileManager.default.removeItem(atPath: self[name]) }
    }

    func mode(_ name: String) throws -> mode_t {
        var status = stat()
        try #require(unsafe lstat(self[name], &status) == 0)
        return status.st_mode & 0o7777
    }
}
