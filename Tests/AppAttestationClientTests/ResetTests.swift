import AppAttestationClient
import TestSupport
import Testing

@Suite("A reset in the middle of an attestation", .timeLimit(.minutes(2))) struct ResetTests {
    @Test func aKeyThatWasForgottenMeanwhileIsNotTaken() async throws {
        let fixture = try Fixture()
        let provider = TestProvider(fixture.folder)
        let store = InterruptedKeyStore(fixture.file) { isChange, record in
            isChange && record.keyID != nil
        }
        let service = fixture.service(provider: provider, store: store)
        store.interrupt { try await service.reset() }
        service.start()
        let assertion = try await service.assertion(for: Fixture.hash)
        #expect(assertion.generation == 1)
        #expect(try await fixture.accept(assertion) == 1)
        #expect(
            try fixture.file.load()
                == AttestationRecord(keyID: assertion.keyID, generation: 1, attestedAt: 1_767_225_600)
        )
        #expect(provider.count(.generate) == 2 && provider.count(.remove) == 1)
        // The second key was never used before, so that the first one was not found invalid.
        #expect(provider.count(.assert) == 1)
    }

    @Test func theEndThatWasLiftedMeanwhileIsNone() async throws {
        let fixture = try Fixture()
        try fixture.file.update {
            $0 = AttestationRecord(generation: 2, wasReplaced: true, isExhausted: true)
        }
        let store = InterruptedKeyStore(fixture.file) { isChange, _ in !isChange }
        let service = fixture.service(store: store)
        store.interrupt { try await service.reset() }
        service.start()
        let assertion = try await service.assertion(for: Fixture.hash)
        #expect(assertion.generation == 3)
        #expect(try await fixture.accept(assertion) == 1)
    }

    @Test func aKeyThatCannotBePutOnRecordLeavesNoFiles() async throws {
        let fixture = try Fixture()
        // The record changes while the first key is made.
        let provider = TestProvider(fixture.folder) { step, count in
            if step == .generate, count == 1 { try fixture.file.update { $0.generation = 7 } }
        }
        let service = fixture.service(provider: provider)
        service.start()
        let assertion = try await service.assertion(for: Fixture.hash)
        #expect(assertion.generation == 7 && provider.count(.generate) == 2)
        #expect(fixture.folder.namesWithoutLocks.count { $0.hasSuffix(".key") } == 1)
        #expect(fixture.folder.namesWithoutLocks.count { $0.hasSuffix(".counter") } == 1)
    }

    @Test func aKeyOnRecordStaysWhenTheStoreFailsAfterwards() async throws {
        struct Fault: Error {}
        let fixture = try Fixture()
        let store = InterruptedKeyStore(fixture.file) { isChange, record in
            isChange && record.pendingKeyID != nil
        }
        let provider = TestProvider(fixture.folder)
        let service = fixture.service(provider: provider, store: store)
        store.interrupt { throw Fault() }
        service.start()
        #expect(try await fixture.accept(service.assertion(for: Fixture.hash)) == 1)
        #expect(provider.count(.generate) == 1 && provider.count(.remove) == 0)
    }

    @Test func aRecordThatIsLostAfterAResetIsBegunAnew() async throws {
        let fixture = try Fixture()
        let store = InterruptedKeyStore(fixture.file) { isChange, record in
            isChange && record.keyID != nil
        }
        let service = fixture.service(store: store)
        store.interrupt {
            try await service.reset()
            try fixture.folder.remove { $0 == "attestation.json" }
        }
        service.start()
        #expect(try await service.assertion(for: Fixture.hash).generation == 0)
    }
}
