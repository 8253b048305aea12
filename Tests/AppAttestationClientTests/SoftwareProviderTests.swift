import AppAttestation
import AppAttestationClient
import Encodings
import TestSupport
import Testing

@Suite("Keys in files", .timeLimit(.minutes(2))) struct SoftwareProviderTests {
    static let nonce = Array("nonce nonce nonce".utf8)

    let folder: TemporaryFolder
    let provider: SoftwareAttestationProvider

    init() throws {
        folder = try TemporaryFolder()
        provider = SoftwareAttestationProvider(directory: folder.path, appID: TestAuthority.appID)
    }

    private var name: String {
        get throws { try #require(folder.namesWithoutLocks.first { $0.hasSuffix(".key") }) }
    }

    private func attested() throws -> (keyID: String, object: [UInt8], key: AttestedKey) {
        let keyID = try provider.generateKey()
        let object = try provider.attestKey(keyID, clientDataHash: Fixture.hash)
        let key = try verifier().verify(
            object,
            keyID: Base64.standard.decode(keyID),
            clientDataHash: Fixture.hash
        ).key
        return (keyID, object, key)
    }

    private func verifier(appID: String = TestAuthority.appID) throws -> AttestationVerifier {
        try AttestationVerifier(appIDs: [appID], formats: [InstallationKeyFormat()])
    }

    @Test func theVerifiersTakeWhatItMakes() throws {
        let (keyID, object, key) = try attested()
        #expect(key.scheme == .appAttest && key.counter == 0 && key.environment == nil)
        let parsed = try AttestationObject(object)
        #expect(parsed.authenticatorData.bytes.count == 164 && parsed.authenticatorData.flags == 0x40)
        #expect(parsed.credential.aaguid == Array("swift-protection".utf8))
        // A verifier of WebAuthn's own format takes the attestation as well.
        let packed = try AttestationVerifier(
            appIDs: [TestAuthority.appID],
            formats: [PackedFormat(roots: [], allowsSelfAttestation: true)]
        )
        _ = try packed.verify(
            object,
            keyID: Base64.standard.decode(keyID),
            clientDataHash: Fixture.hash
        )
        for count in 1...3 as ClosedRange<UInt32> {
            let assertion = try provider.generateAssertion(keyID, clientDataHash: Fixture.hash)
            let verified = try AssertionVerifier().verify(
                assertion,
                clientDataHash: Fixture.hash,
                key: key
            )
            #expect(verified.counter == count)
            #expect(verified.authenticatorData.bytes.count == 37)
        }
    }

    @Test func everyFlippedBitOfAnAttestationIsRefused() throws {
        let (keyID, object, _) = try attested()
        let (verifier, identifier) = (try verifier(), try Base64.standard.decode(keyID))
        for bit in 0..<(object.count * 8) {
            var changed = object
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: AttestationError.self, "bit \(bit)") {
                try verifier.verify(changed, keyID: identifier, clientDataHash: Fixture.hash)
            }
        }
        #expect(throws: AttestationError.self) {
            try verifier.verify(object, keyID: identifier, clientDataHash: [UInt8](repeating: 8, count: 32))
        }
        #expect(throws: AttestationError.self) {
            try self.verifier(appID: "other").verify(
                object,
                keyID: identifier,
                clientDataHash: Fixture.hash
            )
        }
    }

    @Test func everyFlippedBitOfAnAssertionIsRefused() throws {
        let (keyID, _, key) = try attested()
        let object = try provider.generateAssertion(keyID, clientDataHash: Fixture.hash)
        for bit in 0..<(object.count * 8) {
            var changed = object
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: AttestationError.self, "bit \(bit)") {
                try AssertionVerifier().verify(changed, clientDataHash: Fixture.hash, key: key)
            }
        }
    }

    @Test func theCounterGoesOnAfterARestart() throws {
        let keyID = try provider.generateKey()
        for count in 1...5 as ClosedRange<UInt32> {
            let fresh = SoftwareAttestationProvider(directory: folder.path, appID: TestAuthority.appID)
            let object = try fresh.generateAssertion(keyID, clientDataHash: Fixture.hash)
            #expect(try ServiceTests.counter(of: object) == count)
        }
        #expect(try folder.mode(name) == 0o600)
        #expect(try folder.mode(name.dropLast(4) + ".counter") == 0o600)
    }

    @Test func aRaceForTheCounterGivesEachNumberOnce() async throws {
        let keyID = try provider.generateKey()
        let path = folder.path
        let counters = try await withThrowingTaskGroup(of: [UInt32].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let own = SoftwareAttestationProvider(directory: path, appID: TestAuthority.appID)
                    return try (0..<25).map { _ in
                        try ServiceTests.counter(
                            of: own.generateAssertion(keyID, clientDataHash: Fixture.hash)
                        )
                    }
                }
            }
            return try await group.reduce(into: [UInt32]()) { all, own in
                #expect(own == own.sorted())
                all += own
            }
        }
        #expect(counters.sorted() == Array(1...200))
    }

    @Test func theCounterDoesNotWrap() async throws {
        let keyID = try provider.generateKey()
        let counter = try String(name.dropLast(4)) + ".counter"
        try folder.write(counter, "4294967294\n")
        let last = try provider.generateAssertion(keyID, clientDataHash: Fixture.hash)
        #expect(try ServiceTests.counter(of: last) == .max)
        for _ in 0..<2 {
            let found = await code {
                _ = try provider.generateAssertion(keyID, clientDataHash: Fixture.hash)
            }
            #expect(found == .counterExhausted)
        }
        #expect(try folder.text(counter) == "4294967295\n")
    }

    @Test(arguments: ["", "\n", "x\n", "1", "01\n", "-1\n", "4294967296\n", "1\n\n", "99999999999999999\n"])
    func aDamagedCounterStays(text: String) async throws {
        let keyID = try provider.generateKey()
        let counter = try String(name.dropLast(4)) + ".counter"
        try folder.write(counter, text)
        let found = await code { _ = try provider.generateAssertion(keyID, clientDataHash: Fixture.hash) }
        #expect(found == .storeDamaged)
        #expect(try folder.text(counter) == text)
    }

    @Test func aCounterThatIsGoneDoesNotBeginAgain() async throws {
        let keyID = try provider.generateKey()
        try folder.remove { $0.hasSuffix(".counter") }
        let found = await code { _ = try provider.generateAssertion(keyID, clientDataHash: Fixture.hash) }
        #expect(found == .storeDamaged)
        #expect(!folder.namesWithoutLocks.contains { $0.hasSuffix(".counter") })
    }

    @Test func aKeyIsNotWhatItsNameSays() async throws {
        let keyID = try provider.generateKey()
        let file = try name
        let own = try folder.text(file)
        try folder.write(file, "damaged")
        func attest() async -> AttestationClientError.Code? {
            await code { _ = try provider.attestKey(keyID, clientDataHash: Fixture.hash) }
        }
        #expect(await attest() == .storeDamaged)
        try folder.write(file, own, mode: 0o644)
        #expect(await attest() == .storeDamaged)
        let other = try provider.generateKey()
        let otherFile = try #require(folder.namesWithoutLocks.first { $0.hasSuffix(".key") && $0 != file })
        try folder.write(file, folder.text(otherFile))
        #expect(await attest() == .storeDamaged)
        try provider.removeKey(keyID)
        #expect(await attest() == .keyInvalid)
        try provider.removeKey(keyID)
        _ = try provider.attestKey(other, clientDataHash: Fixture.hash)
    }

    @Test func errorsNameTheFileButNotTheKey() throws {
        let keyID = try provider.generateKey()
        let file = try name
        let stem = String(file.dropLast(4))
        let own = try folder.text(file)
        let other = try SoftwareAttestationProvider(directory: folder.path, appID: "other").generateKey()
        let otherFile = try #require(folder.names.first { $0.hasSuffix(".key") && $0 != file })
        func expect(
            _ code: AttestationClientError.Code,
            _ ending: String,
            location: SourceLocation = #_sourceLocation
        ) throws {
            let error = try #require(throws: AttestationClientError.self, sourceLocation: location) {
                try provider.generateAssertion(keyID, clientDataHash: Fixture.hash)
            }
            #expect(error.code == code, sourceLocation: location)
            for text in ["\(error)", error.underlying.map { "\($0)" } ?? ""] {
                #expect(!text.contains(stem) && !text.contains(keyID), sourceLocation: location)
            }
            #expect(
                error.message.contains("\(folder.path)/\(stem.prefix(8))*\(ending): "),
                "\(error)",
                sourceLocation: location
            )
        }
        try folder.write(file, "damaged")
        try expect(.storeDamaged, ".key")
        try folder.write(file, own, mode: 0o644)
        try expect(.storeDamaged, ".key")
        try folder.write(file, folder.text(otherFile))
        try expect(.storeDamaged, ".key")
        try folder.write(file, own)
        try folder.write(stem + ".counter", "x")
        try expect(.storeDamaged, ".counter")
        try folder.remove { $0 == stem + ".counter" }
        try expect(.storeDamaged, ".counter")
        try provider.removeKey(keyID)
        try expect(.keyInvalid, ".key")
        try provider.removeKey(other)
    }

    @Test func whatIsNoIdentifierHasNoFile() async throws {
        for text in ["", "../../etc/passwd", "AAAA", KeyFileTests.keyID] {
            let found = await code { _ = try provider.attestKey(text, clientDataHash: Fixture.hash) }
            #expect(found == .keyInvalid)
        }
        let keyID = try provider.generateKey()
        let short = [UInt8](repeating: 1, count: 15)
        #expect(
            await code { _ = try provider.attestKey(keyID, clientDataHash: short) }
                == .invalidClientDataHash
        )
        #expect(
            await code { _ = try provider.generateAssertion(keyID, clientDataHash: short) }
                == .invalidClientDataHash
        )
        // No number was used up for it.
        let object = try provider.generateAssertion(keyID, clientDataHash: Fixture.hash)
        #expect(try ServiceTests.counter(of: object) == 1)
    }

    @Test func withoutADirectoryThereAreNoKeys() async throws {
        let provider = SoftwareAttestationProvider(directory: "/absent", appID: "app")
        #expect(await code { _ = try provider.generateKey() } == .storeFailed)
    }
}
