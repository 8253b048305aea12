import Foundation

/// A Python package, or more of them, in a process of its own that ends with this object.
///
/// It answers the same questions as in the interoperability tests, and takes its own time.
final class PythonPeer: Sendable {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    private static let folder = root.appending(path: ".build/peers")

    static let isPresent = FileManager.default.fileExists(
        atPath: folder.appending(path: "installed.txt").path
    )
    /// What a row says that lacks it.
    static let note = isPresent ? nil : "no Python peer: Scripts/prepare-peers installs it"

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts the module of Tests/Peers that has the name.
    init(_ module: String = "message_signatures") throws {
        process.executableURL = Self.folder.appending(path: "bin/python")
        process.arguments = [
            "-B", Self.root.appending(path: "Tests/Peers/peer.py").path, module,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Puts a question and waits for the answer.
    @discardableResult
    func ask(_ question: [String: any Sendable]) throws -> [String: Any] {
        try input.fileHandleForWriting.write(
            contentsOf: JSONSerialization.data(withJSONObject: question) + [0x0A]
        )
        var line = Data()
        while line.last != 0x0A {
            let octets = output.fileHandleForReading.availableData
            guard !octets.isEmpty else { throw BenchmarkError("the Python peer has ended") }
            line += octets
        }
        let answer = try JSONSerialization.jsonObject(with: line) as? [String: Any]
        guard let answer, answer["error"] == nil else {
            throw BenchmarkError("the Python peer failed: \(answer?["error"] ?? "")")
        }
        return answer
    }

    /// A contender that puts one question for a whole turn.
    func contender(
        _ question: [String: any Sendable],
        name: String = "http-message-signatures"
    ) -> Contender {
        Contender(name: name) { [self] operations in
            var question = question
            question["times"] = operations
            guard let time = try ask(question)["nanoseconds"] as? Int else {
                throw BenchmarkError("the Python peer took no time")
            }
            return .nanoseconds(Int64(time) * Int64(operations))
        }
    }
}
