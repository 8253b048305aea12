import Encodings
import MessageSignatures
import StructuredFields
import TestSupport
import Testing

/// Messages that we signed, with the peer's judgement, and messages that the peer signed: all of one process of it.
struct PeerExchange: Sendable {
    /// A message that we signed, and what the peer says of it as it is, of another time in it and of other content.
    struct Ours: Sendable {
        let seed: UInt64
        let base: SignatureBase
        let coversContent: Bool
        let answer: JSONObject
        let answerOnAnotherTime: JSONObject
        let answerOnOtherContent: JSONObject
    }

    /// A message that the peer signed, or why it did not.
    struct Theirs: Sendable {
        // Not the message itself: an enum hides a pointer's bits from the leak checker once it stands in a global.
        let seed: UInt64
        let answer: JSONObject
    }

    static let count = 40
    static let firstSeed: UInt64 = 9421

    /// Made once for all tests.
    static let all = Task { try await PeerExchange() }

    private(set) var ours: [MessageSignatureAlgorithm: [Ours]] = [:]
    private(set) var theirs: [MessageSignatureAlgorithm: [Theirs]] = [:]

    private init() async throws {
        var questions = try TestSigner.all.map { try $0.question() }
        var signed: [(signer: TestSigner, seed: UInt64, PeerMessage, MessageSignature)] = []
        for (index, signer) in TestSigner.all.enumerated() {
            for number in 0..<Self.count {
                let seed = Self.firstSeed + UInt64(index * Self.count + number)
                let message = try PeerMessage(seed: seed)
                let signature = try Self.sign(message, signer)
                signed.append((signer, seed, message, signature))
                questions += Self.questions(message, signature, signer.algorithm)
            }
        }
        let answers = try await Peers.ask("message_signatures", questions.map { $0.serialized() })
            .map { try #require(try JSONValue(parsing: $0).object) }
        for answer in answers.prefix(TestSigner.all.count) {
            try #require(answer["error"] == nil, "\(answer)")
        }
        for (index, (signer, seed, message, signature)) in signed.enumerated() {
            let own = answers.dropFirst(TestSigner.all.count + 4 * index).prefix(4).map(\.self)
            ours[signer.algorithm, default: []].append(
                Ours(
                    seed: seed,
                    base: signature.base,
                    coversContent: message.coversContent,
                    answer: own[0],
                    answerOnAnotherTime: own[1],
                    answerOnOtherContent: own[2]
                )
            )
            theirs[signer.algorithm, default: []].append(Theirs(seed: seed, answer: own[3]))
        }
    }

    private static func sign(_ random: PeerMessage, _ signer: TestSigner) throws -> MessageSignature {
        // The peer wants a keyid, by which it finds the key.
        let parameters = random.parameters + [("keyid", .string(signer.algorithm.rawValue))]
        return try signer.signer(random.components, label: random.label)
            .signature(of: random.message, parameters: SignatureParameters(parameters))
    }

    /// Three times to verify what we signed, and once to sign.
    private static func questions(
        _ random: PeerMessage,
        _ signature: MessageSignature,
        _ algorithm: MessageSignatureAlgorithm
    ) -> [JSONObject] {
        var verify = JSONObject()
        verify["ask"] = "verify"
        verify["algorithm"] = .string(algorithm.rawValue)
        let content = random.message.content ?? []
        if random.coversContent { verify["body"] = .string(Base64.standard.encode(content)) }
        verify["message"] = .object(
            adding(signature.signatureInputMember, signature.signatureMember, to: random.json)
        )
        var otherTime = verify
        otherTime["message"] = .object(
            adding(
                changingTime(in: signature.signatureInputMember),
                signature.signatureMember,
                to: random.json
            )
        )
        var otherContent = verify
        if random.coversContent { otherContent["body"] = .string(Base64.standard.encode(content + [0])) }
        var sign = verify
        sign["ask"] = "sign"
        sign["message"] = .object(random.json)
        sign["label"] = .string(random.label)
        sign["statesAlgorithm"] = .bool(random.parameters.count.isMultiple(of: 2))
        sign["components"] = .array(random.components.map { .string($0.serialized) })
        for (name, value) in random.parameters {
            sign[name] = value.integer.map { .integer($0) } ?? value.string.map { .string($0) }
        }
        return [verify, otherTime, otherContent, sign]
    }

    /// `Signature-Input` with another time of making, which is covered whatever else is.
    static func changingTime(in input: String) -> String { input.replacing("created=1", with: "created=") }

    private static func adding(_ input: String, _ signature: String, to json: JSONObject) -> JSONObject {
        var json = json
        let added: [JSONValue] = [["Signature-Input", .string(input)], ["Signature", .string(signature)]]
        json["fields"] = .array((json["fields"]?.array ?? []) + added)
        return json
    }
}

extension JSONObject {
    fileprivate func serialized() -> [UInt8] { JSONValue.object(self).serialized() }
}
