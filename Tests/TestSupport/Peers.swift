import FoundationEssentials

/// Programs by others that the tests compare with: Python packages in an environment of their own.
///
/// `make test` makes the environment. Suites that need it carry ``isPresent`` as their condition and are skipped, with a
/// message, where it is absent.
package enum Peers {
    /// What an answer that is none was.
    package struct Failure: Error, CustomStringConvertible {
        /// What went wrong, and the output.
        package let description: String
    }

    private static let folder = PackageFolders.root + "/.build/peers"

    /// The interpreter that finds the packages.
    package static let python: String = folder + "/bin/python"
    /// A program that a package brings along.
    package static func tool(_ name: String) -> String { "\(folder)/bin/\(name)" }

    /// The program that answers questions with the peer that its argument names.
    package static let program: String = PackageFolders.root + "/Tests/Peers/peer.py"

    /// Whether the environment is there, in the versions that the package names.
    package static let isPresent: Bool = {
        let files = [folder + "/installed.txt", PackageFolders.root + "/Scripts/peers.txt"]
        let contents = files.compactMap { try? Data(contentsOf: URL(filePath: $0)) }
        return contents.count == 2 && contents[0] == contents[1]
    }()

    /// What a skipped suite says.
    package static let absence: String = "the peers are not installed: Scripts/prepare-peers installs them"

    /// Puts questions to a peer, all in one process.
    ///
    /// - Parameters:
    ///   - peer: The module under Tests/Peers.
    ///   - questions: Objects of JSON, each in one line.
    /// - Returns: The answers, objects of JSON in the order of the questions.
    /// - Throws: ``Failure`` when the process does not answer every question, or `Command.Failure`.
    package static func ask(_ peer: String, _ questions: [[UInt8]]) async throws -> [[UInt8]] {
        let lines = questions.flatMap { $0 + [UInt8(ascii: "\n")] }
        let command = try await Command.run(python, ["-B", program, peer], input: lines)
        let answers = command.output.utf8.split(separator: UInt8(ascii: "\n"))
        guard command.status == 0, answers.count == questions.count else {
            throw Failure(
                description: "the peer \(peer) ended with \(command.status): \(command.output.suffix(2_000))"
            )
        }
        return answers.map(Array.init)
    }
}
