import Glibc
import Locking

/// Reads what a command is given: files, with `-` for standard input, and variables of the environment.
final class InputFiles: Sendable {
    /// What others may be able to do to a file.
    enum Trust: Sendable {
        /// Anything: nothing is decided by what it says.
        case any
        /// Read it, but not write it: it says what is to be trusted.
        case readableByOthers
        /// Nothing, if the content is a secret: that others can read it is worth a warning.
        case secret(if: @Sendable ([UInt8]) -> Bool)

        static let secret = Trust.secret { _ in true }
    }

    private let surroundings: Surroundings
    private let warn: @Sendable (String) -> Void
    private let isInputTaken = Mutex(false)

    init(_ surroundings: Surroundings, warn: @escaping @Sendable (String) -> Void) {
        self.surroundings = surroundings
        self.warn = warn
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path, or `-` for standard input, which one option of a command can have.
    ///   - what: What the file is, for messages.
    ///   - limit: The most octets.
    ///   - trust: What others may be able to do to it.
    /// - Returns: The octets.
    /// - Throws: ``ToolError`` with code `unreadable`, `fileTooLarge`, `unsafePermissions` or `usage`.
    func read(_ path: String, _ what: String, limit: Int, trust: Trust) throws -> [UInt8] {
        let octets = path == "-" ? try readInput(limit) : try readFile(path, what, limit, trust)
        guard octets.count <= limit else {
            throw ToolError(.fileTooLarge, "\(what) is larger than \(limit) octets")
        }
        return octets
    }

    /// Reads a file of one line, without the line break at its end.
    func readLine(_ path: String, _ what: String, limit: Int, trust: Trust) throws -> String {
        var octets = try read(path, what, limit: limit, trust: trust)
        if octets.last == UInt8(ascii: "\n") { octets.removeLast() }
        if octets.last == UInt8(ascii: "\r") { octets.removeLast() }
        guard let text = String(validating: octets, as: UTF8.self) else {
            throw ToolError(.notText, "\(what) is not text in UTF-8")
        }
        return text
    }

    /// Reads a file of any length and gives it on in pieces.
    ///
    /// - Throws: ``ToolError`` with code `unreadable` or `usage`, and what the closure throws.
    func readPieces(_ path: String, _ what: String, take: ([UInt8]) throws -> Void) throws {
        guard path != "-" else {
            try takeInput()
            return try Self.pieces(surroundings.readInput, take)
        }
        try open(path, what) { descriptor, name, _ in
            try Self.pieces({ try FileDescriptor.read(descriptor, limit: $0, name: name) }, take)
        }
    }

    private static func pieces(
        _ read: (_ limit: Int) throws -> [UInt8],
        _ take: ([UInt8]) throws -> Void
    ) throws {
        let limit = (64 << 10) - 1
        while true {
            let piece = try read(limit)
            try take(piece)
            // A piece that is not longer than its limit is the last one.
            guard piece.count > limit else { return }
        }
    }

    /// The value of a variable.
    func variable(_ name: String) throws(ToolError) -> String {
        guard let value = surroundings.environment[name] else {
            throw ToolError(
                .missingVariable,
                "there is no variable \(name.escapingControls) in the environment"
            )
        }
        return value
    }

    private func readInput(_ limit: Int) throws -> [UInt8] {
        try takeInput()
        return try surroundings.readInput(limit)
    }

    private func takeInput() throws(ToolError) {
        let isFirst = isInputTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFirst else { throw ToolError(.usage, "standard input can be one thing only") }
    }

    private func readFile(_ path: String, _ what: String, _ limit: Int, _ trust: Trust) throws -> [UInt8] {
        try open(path, what) { descriptor, name, status in
            let octets = try FileDescriptor.read(descriptor, limit: limit, name: name)
            if status.st_mode & S_IFMT == S_IFREG { try check(status, octets, name, trust) }
            return octets
        }
    }

    /// Opens a file for as long as a closure runs, which also gets its name for messages.
    private func open<Result>(
        _ path: String,
        _ what: String,
        _ body: (_ descriptor: Int32, _ name: String, _ status: stat) throws -> Result
    ) throws -> Result {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        let name = "\(what) \(path.escapingControls.quotedForShell)"
        guard descriptor >= 0 else {
            throw ToolError(.unreadable, "\(name) cannot be read: \(FileDescriptor.reason(errno))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw ToolError(.unreadable, "\(name) cannot be read: \(FileDescriptor.reason(errno))")
        }
        return try body(descriptor, name, status)
    }

    private func check(
        _ status: stat,
        _ octets: [UInt8],
        _ name: String,
        _ trust: Trust
    ) throws(ToolError) {
        if case .any = trust { return }
        // Its owner can give it any mode, and any content.
        guard [geteuid(), 0].contains(status.st_uid) else {
            throw ToolError(.unsafePermissions, "\(name) belongs to another user, who may write it")
        }
        let mode = status.st_mode
        guard mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw ToolError(
                .unsafePermissions,
                "others than its owner may write \(name): 'chmod go-w' it, and see that it is still yours"
            )
        }
        if case .secret(let isSecret) = trust, mode & (S_IRGRP | S_IROTH) != 0, isSecret(octets) {
            warn("others than its owner may read \(name): 'chmod 600' it")
        }
    }
}
