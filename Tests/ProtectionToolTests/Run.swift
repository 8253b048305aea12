import Encodings
import FoundationEssentials
import HTTPMessages
import HTTPTransport
import ProtectionCommands
import ProtectionTesting
import Locking
import Testing
import Timing

/// One call of the tool inside this process, and what came of it.
struct Run {
    /// 2026-01-01T00:00:00Z.
    static let now: Int64 = 1_767_225_600

    let exit: ExitCode
    let octets: [UInt8]
    let errors: String

    var output: String { String(decoding: octets, as: UTF8.self) }
    /// The output without its line break.
    var line: String { output.last == "\n" ? String(output.dropLast()) : output }

    init(
        _ arguments: [String],
        input: String = "",
        environment: [String: String] = [:],
        isTerminal: Bool = false,
        time: TimeSource = ManualTime().source,
        session: @escaping @Sendable (CurlSession.Configuration) throws -> any HTTPSession = {
            try CurlSession(configuration: $0)
        }
    ) async {
        let (output, errors) = (Sink(), Sink())
        let unread = Mutex(Array(input.utf8)[...])
        let surroundings = Surroundings(
            environment: environment,
            readInput: { limit in
                unread.withLock { unread in
                    defer { unread = unread.dropFirst(limit + 1) }
                    return Array(unread.prefix(limit + 1))
                }
            },
            writeOutput: { output.append($0) },
            writeErrors: { errors.append($0) },
            isOutputTerminal: isTerminal,
            isErrorsTerminal: isTerminal,
            time: time,
            makeSession: session
        )
        exit = await Tool(arguments: arguments, surroundings: surroundings).run()
        octets = output.octets
        self.errors = String(decoding: errors.octets, as: UTF8.self)
    }

    /// The one line of JSON that the output must be.
    func json() throws -> JSONObject {
        try #require(
            octets.last == UInt8(ascii: "\n") && octets.dropLast().firstIndex(of: UInt8(ascii: "\n")) == nil
        )
        return try #require(try JSONValue(parsing: octets).object)
    }

    /// The code of the error in the JSON output.
    func errorCode() throws -> String? { try json()["error"]?.object?["code"]?.string }
}

private final class Sink: Sendable {
    private let state = Mutex<[UInt8]>([])
    var octets: [UInt8] { state.withLock { $0 } }
    func append(_ octets: [UInt8]) { state.withLock { $0 += octets } }
}
