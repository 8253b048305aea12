import HTTPMessages

/// Reads files that a caller names.
enum FileOctets {
    /// The octets of a regular file; nil when there are more than the limit.
    ///
    /// - Throws: ``APIError`` with code `encoding` when the file cannot be read.
    static func read(_ path: String, upTo limit: Int) throws(APIError) -> [UInt8]? {
        do throws(ContentFile.Fault) {
            return try ContentFile(path).contents(upTo: limit)
        } catch {
            throw error.reason == .unreadable
                ? APIError(.encoding, "a file cannot be read")
                : APIError(.encoding, "a file is not there, or is not a regular file")
        }
    }
}
