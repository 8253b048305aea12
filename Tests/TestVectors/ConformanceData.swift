public import FoundationEssentials

#if canImport(Glibc)
import Glibc
#endif

/// Public conformance data kept beside the project, read in place and never copied into it.
///
/// The directory is `CONFORMANCE_DIR` when that is set, else `shared/conformance` beside the package's own directory.
/// Suites that need it carry ``isPresent`` as their condition and are skipped, with a message, where it is absent.
public enum ConformanceData {
    /// The directory that holds the data.
    public static let directory: String = {
        if let path = unsafe getenv("CONFORMANCE_DIR") { return unsafe String(cString: path) }
        var package = #filePath
        for _ in 0..<3 { package = String(package[..<(package.lastIndex(of: "/") ?? package.startIndex)]) }
        return package + "/../shared/conformance"
    }()

    /// Whether the data is there.
    public static let isPresent = FileManager.default.fileExists(atPath: directory)

    /// What a skipped suite says.
    public static let absence: String = "conformance data not found beside the project"

    /// Reads a file's bytes; empty when the data is absent, so that arguments of a skipped test cost nothing.
    public static func bytes(_ path: String) throws -> Data {
        guard isPresent else { return Data() }
        return try Data(contentsOf: URL(filePath: directory + "/" + path))
    }

    /// Decodes a JSON file, or returns `absent` when the data is not there.
    public static func decode<Value: Decodable>(
        _ type: Value.Type,
        from path: String,
        absent: Value
    ) throws -> Value {
        guard isPresent else { return absent }
        return try JSONDecoder().decode(type, from: try bytes(path))
    }
}
