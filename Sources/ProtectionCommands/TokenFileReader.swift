/// Reads a token from a file or standard input.
enum TokenFileReader {
    /// Four times the longest token that is read, so that one too long is told from a file that is something else.
    private static let maximumSize = 64 << 10

    static func token(_ path: String, _ files: InputFiles) throws -> String {
        try files.readLine(path, "the token", limit: maximumSize, trust: .any)
    }
}
