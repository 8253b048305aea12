import AppAttestation
import Cryptography
import Locking
import Testing

@Suite("Assertions and a store") struct StoreTests {
    private func code(_ body: () async throws -> VerifiedAssertion) async -> AttestationError.Code? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? AttestationError)?.code }
    }

    @Test(arguments: [
        (UInt32(0), UInt32(1), true), (0, 0, false), (1, 1, false), (2, 1, false), (1, 9, true),
        (0x7FFF_FFFF, 0x8000_0000, true), (.max - 1, .max, true), (.max, .max, false), (.max, 0, false),
    ])
    func countersMustRise(stored: UInt32, counter: UInt32, isAccepted: Bool) async throws {
        let mint = try TestMint()
        let store = InMemoryAttestedKeyStore()
        #expect(await store.insert(mint.attestedKey(counter: stored)))
        let object = try mint.assertion(counter: counter)
        let code = await code {
            try await AssertionVerifier()
                .verify(object, clientDataHash: TestMint.hash, keyID: mint.keyID, store: store)
        }
        #expect(code == (isAccepted ? nil : .counterNotAdvanced))
        #expect(await store.key(mint.keyID)?.counter == (isAccepted ? counter : stored))
    }

    @Test func aKeyIsBoundOnce() async throws {
        let mint = try TestMint()
        let proof = try mint.verifier()
            .verify(mint.attestation(), keyID: mint.keyID, clientDataHash: TestMint.hash)
        let store = InMemoryAttestedKeyStore()
        try await store.enrol(proof)
        let error = await #expect(throws: AttestationError.self) { try await store.enrol(proof) }
        #expect(error?.code == .keyAlreadyBound)
        #expect(await !store.advanceCounter(keyID: mint.keyID, from: 1, to: 2))
        #expect(await !store.advanceCounter(keyID: [1], from: 0, to: 1))
        #expect(await store.advanceCounter(keyID: mint.keyID, from: 0, to: 2))
    }

    @Test func anUnknownKeyIsRefused() async throws {
        let mint = try TestMint()
        let object = try mint.assertion(counter: 1)
        let code = await code {
            try await AssertionVerifier().verify(
                object,
                clientDataHash: TestMint.hash,
                keyID: mint.keyID,
                store: InMemoryAttestedKeyStore()
            )
        }
        #expect(code == .unknownKey)
    }

    /// A store whose disk is gone.
    private struct BrokenStore: AttestedKeyStore {
        struct Failure: Error {}
        let key: AttestedKey?
        func insert(_ key: AttestedKey) async throws -> Bool { throw Failure() }
        func key(_ keyID: [UInt8]) async throws -> AttestedKey? {
            guard let key else { throw Failure() }
            return key
        }
        func advanceCounter(keyID: [UInt8], from: UInt32, to: UInt32) async throws -> Bool { throw Failure() }
    }

    @Test func aBrokenStoreRefuses() async throws {
        let mint = try TestMint()
        let object = try mint.assertion(counter: 1)
        for key in [nil, mint.attestedKey()] {
            let store = BrokenStore(key: key)
            let code = await code {
                try await AssertionVerifier()
                    .verify(object, clientDataHash: TestMint.hash, keyID: mint.keyID, store: store)
            }
            #expect(code == .storeFailed)
        }
        let proof = try mint.verifier()
            .verify(mint.attestation(), keyID: mint.keyID, clientDataHash: TestMint.hash)
        let error = await #expect(throws: AttestationError.self) {
            try await BrokenStore(key: nil).enrol(proof)
        }
        #expect(error?.code == .storeFailed)
    }

    /// A store in which another request takes the step first.
    private final class OvertakingStore: AttestedKeyStore {
        let inner = InMemoryAttestedKeyStore()
        let steps: Mutex<[UInt32]>
        init(_ steps: [UInt32]) { self.steps = Mutex(steps) }
        func insert(_ key: AttestedKey) async -> Bool { await inner.insert(key) }
        func key(_ keyID: [UInt8]) async -> AttestedKey? { await inner.key(keyID) }
        func advanceCounter(keyID: [UInt8], from: UInt32, to: UInt32) async -> Bool {
            if let step = steps.withLock({ $0.popLast() }) {
                _ = await inner.advanceCounter(keyID: keyID, from: from, to: step)
            }
            return await inner.advanceCounter(keyID: keyID, from: from, to: to)
        }
    }

    @Test(
        arguments: [
            ([], nil), ([3], nil), ([4, 2], nil), ([5], .counterOvertaken), ([9], .counterOvertaken),
            ([6, 2], .counterOvertaken),
        ] as [([UInt32], AttestationError.Code?)]
    )
    func whoIsOvertakenIsTold(steps: [UInt32], expected: AttestationError.Code?) async throws {
        let mint = try TestMint()
        let store = OvertakingStore(steps)
        _ = await store.insert(mint.attestedKey(counter: 1))
        let object = try mint.assertion(counter: 5)
        let code = await code {
            try await AssertionVerifier()
                .verify(object, clientDataHash: TestMint.hash, keyID: mint.keyID, store: store)
        }
        #expect(code == expected)
    }

    /// A store that says of every step that somebody else took it.
    private final class StandingStore: AttestedKeyStore {
        let inner = InMemoryAttestedKeyStore()
        let steps = Mutex(0)
        func insert(_ key: AttestedKey) async -> Bool { await inner.insert(key) }
        func key(_ keyID: [UInt8]) async -> AttestedKey? { await inner.key(keyID) }
        func advanceCounter(keyID: [UInt8], from: UInt32, to: UInt32) async -> Bool {
            steps.withLock { $0 += 1 }
            return false
        }
    }

    @Test func aStoreThatNeverTakesAStepIsGivenUp() async throws {
        let mint = try TestMint()
        let store = StandingStore()
        _ = await store.insert(mint.attestedKey())
        let object = try mint.assertion(counter: 5)
        let keyID = mint.keyID
        let found = await code {
            try await AssertionVerifier()
                .verify(object, clientDataHash: TestMint.hash, keyID: keyID, store: store)
        }
        #expect(found == .counterOvertaken && store.steps.withLock { $0 } == 128)
        let cancelled = Task {
            await code {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await AssertionVerifier()
                    .verify(object, clientDataHash: TestMint.hash, keyID: keyID, store: store)
            }
        }
        #expect(await cancelled.value == .storeFailed)
        #expect(store.steps.withLock { $0 } == 128)
    }

    @Test(arguments: 0..<10)
    func ofFiftyWithOneCounterOneWins(round: Int) async throws {
        let mint = try TestMint()
        let store = InMemoryAttestedKeyStore()
        _ = await store.insert(mint.attestedKey())
        let objects = try (0..<50).map { _ in try mint.assertion(counter: 1) }
        let codes = await race(objects, mint, store)
        #expect(codes.count { $0 == nil } == 1)
        #expect(codes.allSatisfy { $0 == nil || $0 == .counterNotAdvanced || $0 == .counterOvertaken })
        #expect(await store.key(mint.keyID)?.counter == 1)
    }

    @Test(arguments: 0..<10)
    func ofFiftyCountersTheGreatestAlwaysWins(round: Int) async throws {
        let mint = try TestMint()
        let store = InMemoryAttestedKeyStore()
        _ = await store.insert(mint.attestedKey())
        let objects = try (1...50).map { try mint.assertion(counter: $0) }.shuffled()
        let codes = await race(objects, mint, store)
        #expect(codes.contains { $0 == nil })
        #expect(await store.key(mint.keyID)?.counter == 50)
    }

    @concurrent
    private func race(
        _ objects: [[UInt8]],
        _ mint: TestMint,
        _ store: InMemoryAttestedKeyStore
    ) async -> [AttestationError.Code?] {
        let keyID = mint.keyID
        return await withTaskGroup(of: AttestationError.Code?.self) { group in
            for object in objects {
                group.addTask {
                    do throws(AttestationError) {
                        _ = try await AssertionVerifier()
                            .verify(object, clientDataHash: TestMint.hash, keyID: keyID, store: store)
                        return nil
                    } catch { return error.code }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    static let assertionCases: [(UInt8, [UInt8], AttestationError.Code?)] = [
        (0x40, [], nil), (0x00, [], nil), (0xC0, [0xA0], nil), (0x40, [0xA0], nil), (0x80, [0xA0], nil),
        (0x80, [], .malformedAuthenticatorData), (0x40, [0xA0, 0xA0], .malformedAuthenticatorData),
        (0x40, [0x80], .malformedAuthenticatorData), (0x40, [0xFF], .malformedAuthenticatorData),
        (0xC0, TestMint.extensions(["apple_bundle_version_01": .null]), .malformedExtensions),
        (0xC0, TestMint.extensions(["apple_validation_category_01": .unsigned(3)]), .extensionsNotAllowed),
        (0xC0, TestMint.extensions(["apple_validation_category_01": .bytes([4, 0, 0, 0])]), nil),
    ]

    @Test(arguments: assertionCases)
    func extensionsOfAssertions(flags: UInt8, tail: [UInt8], expected: AttestationError.Code?) async throws {
        let mint = try TestMint()
        let object = try mint.assertion(counter: 1, flags: flags, tail: tail)
        let code = await code {
            try AssertionVerifier(extensions: .onlyOrMissing([.appStore]))
                .verify(object, clientDataHash: TestMint.hash, key: mint.attestedKey())
        }
        #expect(code == expected)
    }

    private static let told = TestMint.extensions(["apple_validation_category_01": .bytes([4, 0, 0, 0])])

    /// A system that told the category once does not cease to.
    @Test(
        arguments: [
            (told, [], .extensionsNotAllowed), (told, told, nil), ([], told, nil), ([], [], nil),
        ] as [([UInt8], [UInt8], AttestationError.Code?)]
    )
    func whatAKeyToldItGoesOnTelling(
        attested: [UInt8],
        asserted: [UInt8],
        expected: AttestationError.Code?
    ) async throws {
        let mint = try TestMint()
        let key = mint.attestedKey(
            attestedExtensions: try AppAttestExtensions(
                attested.isEmpty ? nil : CBORValue(decoding: attested)
            )
        )
        let object = try mint.assertion(counter: 1, flags: 0x40, tail: asserted)
        let code = await code {
            try AssertionVerifier(extensions: .onlyOrMissing([.appStore]))
                .verify(object, clientDataHash: TestMint.hash, key: key)
        }
        #expect(code == expected)
        // Who asks for no category needs none.
        #expect(throws: Never.self) {
            try AssertionVerifier().verify(object, clientDataHash: TestMint.hash, key: key)
        }
    }

    /// Anyone can make such a key, and have it say what it likes.
    @Test func aKeyThatIsNotApplesTellsNothingOfItsApp() async throws {
        let mint = try TestMint()
        let key = mint.attestedKey(format: .installationKey)
        let object = try mint.assertion(counter: 1, flags: 0x40, tail: Self.told)
        let proof = try AssertionVerifier(extensions: .onlyOrMissing([.appStore]))
            .verify(object, clientDataHash: TestMint.hash, key: key)
        #expect(proof.appExtensions == nil)
        let code = await code {
            try AssertionVerifier(extensions: .only([.appStore]))
                .verify(object, clientDataHash: TestMint.hash, key: key)
        }
        #expect(code == .extensionsNotAllowed)
    }

    @Test func theReceiptIsKeptWithItsKey() async throws {
        let mint = try TestMint()
        let proof = try mint.verifier()
            .verify(mint.attestation(), keyID: mint.keyID, clientDataHash: TestMint.hash)
        let store = InMemoryAttestedKeyStore()
        try await store.enrol(proof)
        let kept = try #require(await store.key(mint.keyID))
        #expect(kept.receipt != nil && kept.receipt == proof.receipt)
        #expect(kept.attestedExtensions == proof.appExtensions && kept.attestedExtensions != nil)
        #expect(await store.advanceCounter(keyID: mint.keyID, from: 0, to: 1))
        #expect(await store.key(mint.keyID)?.receipt == proof.receipt)
    }

    @Test func theConvenienceHashesOnce() async throws {
        let mint = try TestMint()
        let data = Array("client data".utf8)
        let object = try mint.assertion(counter: 1, clientDataHash: HashAlgorithm.sha256.hash(data))
        let proof = try AssertionVerifier().verify(object, clientData: data, key: mint.attestedKey())
        #expect(proof.counter == 1)
        let short = await code {
            try AssertionVerifier()
                .verify(object, clientDataHash: Array(data.prefix(8)), key: mint.attestedKey())
        }
        #expect(short == .invalidClientDataHash)
        let wrongAlgorithm = AttestedKey(
            keyID: mint.keyID,
            publicKey: mint.key.publicKey,
            algorithm: .ed25519,
            format: .appleAppAttest,
            appID: TestMint.appID,
            environment: nil,
            counter: 0
        )
        let mismatch = await code {
            try AssertionVerifier().verify(object, clientData: data, key: wrongAlgorithm)
        }
        #expect(mismatch == .unsupportedAlgorithm)
        let malformed = await code {
            try AssertionVerifier().verify([0xA0], clientData: data, key: mint.attestedKey())
        }
        #expect(malformed == .malformedObject)
    }
}
