import Encodings
import MessageSignatures
import StructuredFields
import TestSupport
import Testing

/// Random messages in both directions with the Python package http-message-signatures.
@Suite(
    "Message signatures: interoperability",
    .enabled(if: Peers.isPresent, Comment(rawValue: Peers.absence)),
    .timeLimit(.minutes(2))
)
struct InteropTests {
    @Test(
        "The peer verifies what we sign, with the same values",
        arguments: MessageSignatureAlgorithm.allCases
    )
    func ours(_ algorithm: MessageSignatureAlgorithm) async throws {
        let messages = try #require(try await PeerExchange.all.value.ours[algorithm])
        #expect(messages.count == PeerExchange.count)
        for message in messages {
            let covered = message.answer["covered"]?.array?.compactMap(\.array)
            let wanted: [[JSONValue]] =
                message.base.components.map { [.string($0.identifier.serialized), .string($0.value)] }
                + [["\"@signature-params\"", .string(message.base.signatureParameters)]]
            #expect(covered == wanted, "seed \(message.seed): \(message.answer)")
        }
    }

    @Test("The peer refuses what we signed once it is changed", arguments: MessageSignatureAlgorithm.allCases)
    func oursChanged(_ algorithm: MessageSignatureAlgorithm) async throws {
        let messages = try #require(try await PeerExchange.all.value.ours[algorithm])
        for message in messages {
            let time = message.answerOnAnotherTime["error"]?.string
            #expect(
                time?.hasPrefix("InvalidSignature") == true,
                "seed \(message.seed): \(message.answerOnAnotherTime)"
            )
            let content = message.answerOnOtherContent["error"]?.string
            #expect(
                (content?.hasPrefix("InvalidSignature") == true) == message.coversContent,
                "seed \(message.seed)"
            )
        }
        #expect(messages.count(where: \.coversContent) > 0)
    }

    @Test(
        "We verify what the peer signs, and not once it is changed",
        arguments: MessageSignatureAlgorithm.allCases
    )
    func theirs(_ algorithm: MessageSignatureAlgorithm) async throws {
        let signer = try #require(TestSigner.all.first { $0.algorithm == algorithm })
        let messages = try #require(try await PeerExchange.all.value.theirs[algorithm])
        #expect(messages.count == PeerExchange.count)
        for theirs in messages {
            let random = try PeerMessage(seed: theirs.seed)
            let lines = try #require(theirs.answer["fields"]?.array, "seed \(theirs.seed): \(theirs.answer)")
            var signed = random.message
            for line in lines.compactMap(\.array).dropFirst(signed.fields.count) {
                signed.fields.append(FieldLine(try #require(line[0].string), try #require(line[1].string)))
            }
            let verifier = try signer.verifier(
                VerificationPolicy(requiredComponents: random.components)
            )
            let verified = try verifier.verify(signed, label: random.label)
            #expect(verified.components.map(\.identifier) == random.components, "seed \(theirs.seed)")
            let coversContent = random.components.contains(where: \.isOfContent)
            #expect(verified.isContentVerified == coversContent, "seed \(theirs.seed)")
            for (name, value) in random.parameters { #expect(verified.parameters.all[name] == value) }
            var changed = signed
            let input = String(decoding: changed.fields[changed.fields.count - 2].value, as: UTF8.self)
            changed.fields[changed.fields.count - 2] = FieldLine(
                "Signature-Input",
                PeerExchange.changingTime(in: input)
            )
            #expect(refusal { try verifier.verify(changed) } == .signatureInvalid, "seed \(theirs.seed)")
        }
    }
}
