import FoundationEssentials
import Glibc

/// Reads files that a caller names.
enum FileOctets {
    /// The octets of a regular file; nil when there are more than the limit.
    ///
    /// - Throws: ``APIError`` with code `encoding` when the file cannot be read.
    static func read(_ path: String, upTo limit: Int) throws(APIError) -> [UInt8]? {
        // A pipe would keep the call waiting for ever.
        var status = stat()
        guard !path.utf8.contains(0), unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else {
            throw APIError(.encoding, "a file is not there, or is not a regular file")
        }
        guard status.st_size <= limit else { return nil }
        // Foundation's reading leaks where a file is empty.
        guard status.st_size > 0 else { return [] }
        do {
            let data = try Data(contentsOf: URL(filePath: path))
            return data.count <= limit ? Array(data) : nil
        } catch {
            throw APIError(.encoding, "a file cannot be read", underlying: error)
        }
    }
}
