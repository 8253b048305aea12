import AWSSigning
import Encodings
import HTTPMessages
import TestSupport
import Testing

/// Random requests, signed by this package and by botocore.
@Suite(
    "AWS signatures: interoperability",
    .enabled(if: Peers.isPresent, Comment(rawValue: Peers.absence)),
    .timeLimit(.minutes(2))
)
struct PeerTests {
    @Test("500 random requests get the signature that botocore makes") func random() async throws {
        let requests = try (0..<500).map { try PeerRequest(seed: UInt64($0)) }
        let answers = try await Peers.ask("sigv4", requests.map { $0.question.serialized() })
        for (request, answer) in zip(requests, answers) {
            let theirs = try JSONValue(parsing: answer).object
            if request.isQuery {
                let url = try #require(
                    theirs?["url"]?.string,
                    "seed \(request.seed): \(String(decoding: answer, as: UTF8.self))"
                )
                #expect(
                    Self.parameters(try request.signed()) == Self.parameters(url),
                    "seed \(request.seed): \(request.request.target.absoluteString)"
                )
            } else {
                let authorization = theirs?["authorization"]?.string
                #expect(
                    try request.signed() == authorization,
                    "seed \(request.seed): \(request.request.target.absoluteString)"
                )
            }
        }
        let counts = Dictionary(grouping: requests) { "\($0.isQuery) \($0.profile.sendsContentHash)" }
            .mapValues(\.count)
        #expect(counts.count == 4 && counts.values.allSatisfy { $0 > 80 })
    }

    /// The URL before its query, and the parameters in the order of their text.
    ///
    /// botocore writes the parameters of a signature in another order, and `=` after a name without a value; neither is
    /// part of what is signed.
    private static func parameters(_ url: String) -> [String] {
        let parts = url.split(separator: "?", maxSplits: 1).map(String.init)
        let parameters = parts.last.map {
            $0.split(separator: "&").map { $0.contains("=") ? "\($0)" : "\($0)=" }
        }
        return parts.prefix(1) + (parameters ?? []).sorted()
    }
}
