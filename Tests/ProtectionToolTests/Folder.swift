import FoundationEssentials
import Glibc
import ProtectionCommands
import Testing

/// A folder of a test's own, removed when the test ends.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "tool-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(name: String) -> String { "\(path)/\(name)" }

    /// Writes a file with a mode and answers its path.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8], mode: mode_t = 0o600) throws -> String {
        try Data(bytes).write(to: URL(filePath: self[name]))
        try #require(unsafe chmod(self[name], mode) == 0)
        return self[name]
    }

    @discardableResult
    func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
        try write(name, Array(text.utf8), mode: mode)
    }

    /// Reads by the C library: `Data(contentsOf:)` leaks where a file is empty.
    func read(_ name: String) throws -> String {
        let stream = unsafe try #require(unsafe fopen(self[name], "r"))
        defer { unsafe fclose(stream) }
        var octets: [UInt8] = []
        while case let octet = unsafe getc(stream), octet != EOF {
            octets.append(UInt8(truncatingIfNeeded: octet))
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
