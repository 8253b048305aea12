import FoundationEssentials
import Glibc
import Testing

/// A folder of a test's own, removed when the test ends.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "asserted-\(UUID().uuidString)").path
        try #require(unsafe mkdir(path, 0o700) == 0)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(name: String) -> String { "\(path)/\(name)" }
}
