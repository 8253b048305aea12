import FoundationEssentials
import TestSupport

/// A folder that goes with this object.
final class Scratch: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/server-tests-\(UInt64.random(in: 0 ... .max))"

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
    }

    func text(_ name: String) throws -> String { try TextFile.read("\(path)/\(name)") }
}
