import AppAttestation
import Cryptography
import Encodings
import TestVectors
import Testing

@Suite(
    "Real attestations",
    .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence))
)
struct FixtureTests {
    @Test func allFixturesAreRead() { #expect(Fixture.all.count == 23) }

    @Test(arguments: Fixture.attestations)
    func verifiesAtItsTime(fixture: Fixture) throws {
        let proof = try fixture.verifier()
            .verify(fixture.object, keyID: fixture.keyID, clientDataHash: fixture.clientDataHash)
        #expect(proof.key.appID == fixture.appId)
        #expect(proof.key.environment?.rawValue == fixture.environment)
        #expect(proof.key.counter == 0)
        #expect(proof.key.scheme == .appAttest)
        #expect(proof.certificates.count == 3)
        #expect(proof.receipt?.isEmpty == false)
        #expect(proof.appExtensions?.bundleVersion == fixture.expectedBundleVersion)
        #expect(
            proof.appExtensions?.validationCategory?.rawValue == fixture.expectedValidationCategory
        )
        let object = try fixture.object
        #expect(CBOREncoder.encode(try CBORValue(decoding: object)) == object)
    }

    @Test(arguments: Fixture.attestations)
    func aHashedChallengeIsAConvenience(fixture: Fixture) throws {
        let challenge = try Base64.standard.decode(fixture.clientDataBase64 ?? "")
        let isRaw = fixture.clientDataHashRule?.hasPrefix("SHA256") == false
        let verifier = try fixture.verifier()
        if isRaw {
            let error = try #require(throws: AttestationError.self) {
                try verifier.verify(fixture.object, keyID: fixture.keyID, challenge: challenge)
            }
            #expect(error.code == .nonceMismatch)
        } else {
            #expect(throws: Never.self) {
                try verifier.verify(fixture.object, keyID: fixture.keyID, challenge: challenge)
            }
        }
    }

    /// What is changed, and the code it must give.
    enum Change: String, CaseIterable {
        case past, future, distantFuture, appID, hash, shortHash, environment, keyID, otherObject
    }

    @Test(arguments: Fixture.attestations, Change.allCases)
    func aChangeIsRefused(fixture: Fixture, change: Change) throws {
        var keyID = try fixture.keyID
        var hash = try fixture.clientDataHash
        var object = try fixture.object
        var verifier = try fixture.verifier()
        let code: AttestationError.Code
        switch change {
        case .past:
            verifier = try fixture.verifier(time: fixture.time - 365 * 86_400)
            code = .certificateNotYetValid
        case .future:
            verifier = try fixture.verifier(time: fixture.time + 366 * 86_400)
            code = .certificateExpired
        case .distantFuture:
            verifier = try fixture.verifier(time: 4_000_000_000)
            code = .certificateExpired
        case .appID:
            verifier = try fixture.verifier(appID: fixture.appId + "x")
            code = .appIDMismatch
        case .hash:
            hash[0] ^= 1
            code = .nonceMismatch
        case .shortHash:
            hash = Array(hash.prefix(15))
            code = .invalidClientDataHash
        case .environment:
            let others = Set(AppAttestEnvironment.allCases).subtracting(fixture.environments)
            verifier = try fixture.verifier(environments: others)
            code = .environmentNotAllowed
        case .keyID:
            keyID[31] ^= 0x80
            code = .keyIDMismatch
        case .otherObject:
            object.append(0)
            code = .malformedObject
        }
        let error = try #require(throws: AttestationError.self) {
            try verifier.verify(object, keyID: keyID, clientDataHash: hash)
        }
        #expect(error.code == code)
    }

    /// Flips one bit at every 11th octet of the certificates, and at every octet of the authenticator data and of each
    /// header between the parts.
    @Test(arguments: Fixture.attestations)
    func anyFlippedBitIsRefused(fixture: Fixture) throws {
        let object = try fixture.object
        let (keyID, hash, verifier) = try (fixture.keyID, fixture.clientDataHash, fixture.verifier())
        let parts = try Regions(object)
        var positions: Set<Int> = Set(parts.authenticatorData).union(0..<40)
        for region in [parts.leaf, parts.intermediate] {
            positions.formUnion(stride(from: region.lowerBound - 3, to: region.upperBound, by: 11))
        }
        positions.formUnion(parts.leaf.upperBound..<parts.intermediate.lowerBound)
        positions.formUnion(parts.intermediate.upperBound..<parts.receipt.lowerBound)
        positions.formUnion(parts.receipt.upperBound..<parts.authenticatorData.lowerBound)
        #expect(positions.count >= 200)
        for position in positions {
            var changed = object
            changed[position] ^= 1 << (position % 8)
            let error = try #require(throws: AttestationError.self, "octet \(position)") {
                try verifier.verify(changed, keyID: keyID, clientDataHash: hash)
            }
            #expect(parts.codes(at: position).contains(error.code), "octet \(position): \(error.code)")
        }
    }

    /// The receipt is the one part that the attestation does not vouch for.
    @Test(arguments: Fixture.attestations)
    func aFlippedBitOfTheReceiptChangesTheReceiptAlone(fixture: Fixture) throws {
        let object = try fixture.object
        let region = try Regions(object).receipt
        for position in stride(from: region.lowerBound, to: region.upperBound, by: 97) {
            var changed = object
            changed[position] ^= 1 << (position % 8)
            let proof = try fixture.verifier()
                .verify(changed, keyID: fixture.keyID, clientDataHash: fixture.clientDataHash)
            #expect(proof.receipt == Array(changed[region]))
        }
    }
}

/// Where the parts of an attestation object stand.
struct Regions {
    let leaf: Range<Int>
    let intermediate: Range<Int>
    let receipt: Range<Int>
    let authenticatorData: Range<Int>

    init(_ object: [UInt8]) throws {
        let value = try CBORValue(decoding: object)
        func range(_ part: CBORValue?, after start: Int) throws -> Range<Int> {
            let bytes = try #require(part?.byteString)
            let found = (start...(object.count - bytes.count)).first {
                object[$0..<($0 + bytes.count)].elementsEqual(bytes)
            }
            let lower = try #require(found)
            return lower..<(lower + bytes.count)
        }
        let certificates = try #require(value["attStmt"]?["x5c"]?.elements)
        leaf = try range(certificates[0], after: 0)
        intermediate = try range(certificates[1], after: leaf.upperBound)
        receipt = try range(value["attStmt"]?["receipt"], after: intermediate.upperBound)
        authenticatorData = try range(value["authData"], after: receipt.upperBound)
    }

    /// What a flipped bit can be refused as: names and lengths of CBOR stand before each part.
    func codes(at position: Int) -> Set<AttestationError.Code> {
        if leaf.contains(position) || intermediate.contains(position) {
            return [
                .invalidCertificate, .untrustedCertificate, .certificateExpired, .certificateNotYetValid,
            ]
        }
        guard authenticatorData.contains(position) else {
            return [.malformedObject, .unknownFormat, .malformedStatement, .certificateCount]
        }
        switch position - authenticatorData.lowerBound {
        // App, counter, AAGUID and identifier: all is under the nonce, which is compared first.
        case 0..<32, 33..<53, 55..<87: return [.nonceMismatch]
        // The flags say what follows, the rest is the length of the identifier, the key and extensions.
        case 32, 53, 54: return [.nonceMismatch, .malformedAuthenticatorData]
        default: return [.nonceMismatch, .malformedAuthenticatorData, .unsupportedKey]
        }
    }
}
