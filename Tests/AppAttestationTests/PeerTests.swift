import AppAttestation
import Cryptography
import Encodings
import Foundation
import TestSupport
import Testing
import Timing

/// The same objects before this package and before pyattest.
@Suite(
    "App Attest: interoperability",
    .enabled(if: Peers.isPresent, Comment(rawValue: Peers.absence)),
    .timeLimit(.minutes(2))
)
struct PeerTests {
    private static let challenge = Array("a challenge".utf8)

    /// A question, and whether this package takes the object in it.
    private struct Case {
        let question: [UInt8]
        let isTaken: Bool
    }

    private static func question(_ members: KeyValuePairs<String, String>) -> [UInt8] {
        var object = JSONObject()
        for (name, value) in members { object[name] = .string(value) }
        return JSONValue.object(object).serialized()
    }

    /// Both must take the first object, and neither any other.
    private static func compare(_ cases: [Case]) async throws {
        let answers = try await Peers.ask("app_attest", cases.map(\.question))
        for (index, (one, answer)) in zip(cases, answers).enumerated() {
            let members = try JSONValue(parsing: answer).object
            let comment = Comment(rawValue: "object \(index): \(String(decoding: answer, as: UTF8.self))")
            #expect(one.isTaken == (index == 0), comment)
            #expect((members?["error"] == nil) == (index == 0), comment)
        }
    }

    @Test func attestations() async throws {
        // pyattest has no clock but the system's.
        let now = Int64(Date.now.timeIntervalSince1970)
        let mint = try TestMint(now: now)
        let hash = try HashAlgorithm.sha256.hash(Self.challenge)
        let object = try mint.attestation(clientDataHash: hash)
        let parts = try Regions(object)
        let positions = [parts.authenticatorData, parts.leaf, parts.intermediate].flatMap {
            // The outer lengths of certificates come first, and what pyattest makes of those is its parser's matter.
            Array(stride(from: $0.lowerBound + 4, to: $0.upperBound, by: 13))
        }
        let changed = positions.map { position in
            var copy = object
            copy[position] ^= 1 << (position % 8)
            return copy
        }
        let verifier = try mint.verifier(time: now)
        try await Self.compare(
            ([object] + changed).map { object in
                Case(
                    question: Self.question([
                        "ask": "attestation", "object": Base64.standard.encode(object),
                        "challenge": Base64.standard.encode(Self.challenge),
                        "keyID": Base64.standard.encode(mint.keyID), "appID": TestMint.appID,
                        "root": mint.root.pem,
                    ]),
                    isTaken: (try? verifier.verify(object, keyID: mint.keyID, clientDataHash: hash)) != nil
                )
            }
        )
        #expect(positions.count > 70)
    }

    @Test func assertions() async throws {
        let mint = try TestMint()
        let object = try mint.assertion(counter: 1)
        let value = try CBORValue(decoding: object)
        // pyattest does not compare the members' names: what is changed is the signature and what it covers.
        let regions = try ["signature", "authenticatorData"].map { name in
            let bytes = try #require(value[name]?.byteString)
            let start = try #require(
                (0...(object.count - bytes.count)).first { object[$0...].starts(with: bytes) }
            )
            return start..<(start + bytes.count)
        }
        let changed = regions.flatMap(Array.init).map { position in
            var copy = object
            copy[position] ^= 1 << (position % 8)
            return copy
        }
        try await Self.compare(
            ([object] + changed).map { object in
                let taken = try? AssertionVerifier()
                    .verify(object, clientDataHash: TestMint.hash, key: mint.attestedKey())
                return Case(
                    question: Self.question([
                        "ask": "assertion", "object": Base64.standard.encode(object),
                        "clientDataHash": Base64.standard.encode(TestMint.hash), "appID": TestMint.appID,
                        "point": Base64.standard.encode(mint.key.publicKey.x963 ?? []),
                    ]),
                    isTaken: taken != nil
                )
            }
        )
        #expect(changed.count > 100)
    }
}
