public import HTTPMessages
public import HTTPTransport
public import Timing

/// What the tool sees of the world, so that a test can give it any.
public struct Surroundings: Sendable {
    /// The variables of the environment.
    public var environment: [String: String]
    /// Reads standard input to its end, or until one octet more than the limit has come; the next call reads on.
    public var readInput: @Sendable (_ limit: Int) throws -> [UInt8]
    /// Writes to standard output, all or nothing.
    public var writeOutput: @Sendable ([UInt8]) throws -> Void
    /// Writes to standard error.
    public var writeErrors: @Sendable ([UInt8]) -> Void
    /// Whether standard output is a terminal.
    public var isOutputTerminal: Bool
    /// Whether standard error is a terminal.
    public var isErrorsTerminal: Bool
    /// Where the tool gets its time.
    public var time: TimeSource
    /// Makes the session that requests are sent with.
    public var makeSession: @Sendable (CurlSession.Configuration) throws -> any HTTPSession

    /// Makes surroundings of their parts.
    public init(
        environment: [String: String],
        readInput: @escaping @Sendable (_ limit: Int) throws -> [UInt8],
        writeOutput: @escaping @Sendable ([UInt8]) throws -> Void,
        writeErrors: @escaping @Sendable ([UInt8]) -> Void,
        isOutputTerminal: Bool = false,
        isErrorsTerminal: Bool = false,
        time: TimeSource = .system,
        makeSession: @escaping @Sendable (CurlSession.Configuration) throws -> any HTTPSession = {
            try CurlSession(configuration: $0)
        }
    ) {
        self.environment = environment
        self.readInput = readInput
        self.writeOutput = writeOutput
        self.writeErrors = writeErrors
        self.isOutputTerminal = isOutputTerminal
        self.isErrorsTerminal = isErrorsTerminal
        self.time = time
        self.makeSession = makeSession
    }
}
