import AppAttestation
import Cryptography
import Encodings
import TestVectors
import Testing

@Suite(
    "Real assertions",
    .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence))
)
struct AssertionFixtureTests {
    private func key(_ fixture: Fixture, counter: UInt32) throws -> AttestedKey {
        if let hex = fixture.assertions?.first?.publicKeyX963Hex {
            let point = try Hex.decode(hex)
            return AttestedKey(
                keyID: try HashAlgorithm.sha256.hash(point),
                publicKey: try PublicKey(x963: point, curve: .p256),
                format: .appleAppAttest,
                appID: fixture.appId,
                environment: nil,
                counter: counter
            )
        }
        var key = try fixture.verifier()
            .verify(fixture.object, keyID: fixture.keyID, clientDataHash: fixture.clientDataHash).key
        key.counter = counter
        return key
    }

    private func code(_ body: () throws -> VerifiedAssertion) throws -> AttestationError.Code {
        try #require(throws: AttestationError.self) { try body() }.code
    }

    @Test func someHaveAHighS() throws {
        // Half of the order of P-256.
        let half = try Hex.decode("7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8")
        let highs = try Fixture.withAssertions.flatMap { $0.assertions ?? [] }.filter { assertion in
            let signature = try #require(try CBORValue(decoding: assertion.object)["signature"]?.byteString)
            var reader = DERReader(signature)
            var numbers = try #require(reader.read(.sequence).map { DERReader($0) })
            _ = numbers.readUnsigned()
            let s = try #require(numbers.readUnsigned().map { Array($0) })
            return s.count == 32 && half.lexicographicallyPrecedes(s)
        }
        #expect(!highs.isEmpty)
    }

    @Test(arguments: Fixture.withAssertions)
    func verifies(fixture: Fixture) throws {
        for assertion in fixture.assertions ?? [] {
            let (object, hash) = try (assertion.object, assertion.clientDataHash)
            let verifier = AssertionVerifier()
            let proof = try verifier.verify(object, clientDataHash: hash, key: key(fixture, counter: 0))
            #expect(proof.counter == assertion.counter)
            #expect(proof.previousCounter == 0)
            #expect(proof.appID == fixture.appId)

            let stored = try key(fixture, counter: assertion.counter)
            #expect(
                try code { try verifier.verify(object, clientDataHash: hash, key: stored) }
                    == .counterNotAdvanced
            )
            var other = hash
            other[7] ^= 4
            #expect(
                try code { try verifier.verify(object, clientDataHash: other, key: key(fixture, counter: 0)) }
                    == .invalidSignature
            )
            let original = try key(fixture, counter: 0)
            let elsewhere = AttestedKey(
                keyID: original.keyID,
                publicKey: original.publicKey,
                format: .appleAppAttest,
                appID: "0000000000.another.app",
                environment: original.environment,
                counter: 0
            )
            #expect(
                try code { try verifier.verify(object, clientDataHash: hash, key: elsewhere) }
                    == .appIDMismatch
            )
            // A single hash is what WebAuthn signs, and not what App Attest does.
            let single = AttestedKey(
                keyID: original.keyID,
                publicKey: original.publicKey,
                format: .appleAppAttest,
                scheme: .webAuthn,
                appID: fixture.appId,
                environment: nil,
                counter: 0
            )
            #expect(
                try code { try verifier.verify(object, clientDataHash: hash, key: single) }
                    == .invalidSignature
            )
            let stranger = AttestedKey(
                keyID: original.keyID,
                publicKey: try PrivateKey.generate(.p256).publicKey,
                format: .appleAppAttest,
                appID: fixture.appId,
                environment: nil,
                counter: 0
            )
            #expect(
                try code { try verifier.verify(object, clientDataHash: hash, key: stranger) }
                    == .invalidSignature
            )
        }
    }

    @Test(arguments: Fixture.withAssertions)
    func everyFlippedBitIsRefused(fixture: Fixture) throws {
        let key = try key(fixture, counter: 0)
        let verifier = AssertionVerifier()
        for assertion in fixture.assertions ?? [] {
            let (object, hash) = try (assertion.object, assertion.clientDataHash)
            for position in object.indices {
                var changed = object
                changed[position] ^= 1 << (position % 8)
                let code = try code { try verifier.verify(changed, clientDataHash: hash, key: key) }
                #expect([.malformedObject, .malformedAuthenticatorData, .invalidSignature].contains(code))
            }
        }
    }
}
