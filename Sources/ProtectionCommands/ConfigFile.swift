import Protection

/// Reads a configuration line from a file.
enum ConfigFile {
    static func line(_ path: String, _ files: InputFiles, trust: InputFiles.Trust) throws -> String {
        try files.readLine(path, "the configuration", limit: 1 << 20, trust: trust)
    }
}
