import Encodings

/// What `--version` shows.
enum VersionText {
    static func show(_ console: Console) throws {
        guard console.isJSON else { return try console.write("protection \(Tool.version)") }
        try console.write(["name": "protection", "version": .string(Tool.version)])
    }
}
