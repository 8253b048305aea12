import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A folder of a test's own, removed when the test ends.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)").path
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

    /// What changes when anything is done to the file at a path, or the link there.
    func identity(_ name: String) throws -> [Int] {
        var status = stat()
        try #require(unsafe lstat(self[name], &status) == 0)
        return [
            Int(status.st_ino), Int(status.st_mode), Int(status.st_uid), Int(status.st_size),
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
    }
}
