import AppAttestation
import AppAttestationClient
import HTTPMessages
import ProtectionTesting
import TestSupport
import Testing

@Suite("What fails and what is refused", .timeLimit(.minutes(2))) struct RecoveryTests {
    @Test(arguments: [TestBackend.Step.challenge, .submission, .answer])
    func aPassingFaultOfTheBackendIsTriedAgainWithTheSameKey(step: TestBackend.Step) async throws {
        struct Fault: Error {}
        let fixture = try Fixture()
        let provider = TestProvider(fixture.folder)
        let backend = TestBackend(fixture.authority) { taken, count in
            if taken == step, count < 3 { throw Fault() }
            // The key is there already when the first answer was lost.
        }
        let service = fixture.service(provider: provider, backend: AcceptingBackend(base: backend))
        service.start()
        let keyID = try await service.attestedKeyID()
        #expect(provider.count(.generate) == 1)
        #expect(await fixture.authority.keyIDs == [keyID])
    }

    /// A backend that understands that it has the key already, as ``HTTPAttestationBackend`` does.
    private struct AcceptingBackend: AttestationBackend {
        let base: TestBackend
        var endpoints: [RequestTarget] { base.endpoints }
        func fetchChallenge() async throws -> AttestationChallenge { try await base.fetchChallenge() }
        func submit(_ submission: AttestationSubmission) async throws {
            do { try await base.submit(submission) } catch let error as AttestationError {
                guard error.code == .keyAlreadyBound else { throw error }
            }
        }
    }

    @Test func aDeviceThatFailsForAWhileIsAskedTheSameAgain() async throws {
        let fixture = try Fixture()
        let provider = TestProvider(fixture.folder) { step, count in
            if step == .attest, count < 3 { throw AttestationClientError(.unavailable, "busy") }
        }
        let backend = TestBackend(fixture.authority)
        let service = fixture.service(provider: provider, backend: backend)
        service.start()
        _ = try await service.attestedKeyID()
        #expect(backend.count(.challenge) == 1 && provider.count(.generate) == 1)
    }

    @Test func theWaitsGrowAndAreDrawnByLot() async throws {
        let fixture = try Fixture()
        let backend = TestBackend(fixture.authority) { step, count in
            guard step == .challenge, count < 4 else { return }
            throw AttestationClientError(
                .unavailable,
                "later",
                retryAfter: count == 3 ? .seconds(7) : nil
            )
        }
        let service = fixture.service(backend: backend, time: fixture.time.source)
        service.start()
        // Half of 0.5 and 1 seconds; of 2, and what the server asks for.
        for (count, delay) in [(1, 250), (2, 500), (3, 8000)] {
            try await eventually { backend.count(.challenge) >= count && fixture.time.sleeperCount != 0 }
            fixture.time.advance(by: .milliseconds(delay - 1))
            #expect(fixture.time.sleeperCount == 1)
            #expect(backend.count(.challenge) == count)
            fixture.time.advance(by: .milliseconds(1))
            try await eventually { backend.count(.challenge) != count }
        }
        #expect(try await !service.attestedKeyID().isEmpty)
    }

    @Test func afterARowOfFailuresThereIsAPause() async throws {
        let fixture = try Fixture()
        let backend = TestBackend(fixture.authority) { step, count in
            if step == .challenge, count < 3 { throw AttestationClientError(.unavailable, "later") }
        }
        var configuration = AttestationConfiguration()
        configuration.maximumAttempts = 1
        configuration.baseDelay = .seconds(1)
        let service = fixture.service(
            backend: backend,
            configuration: configuration,
            time: fixture.time.source
        )
        service.start()
        #expect(await code { _ = try await service.attestedKeyID() } == .unavailable)
        // Nobody is asked before three quarters of two seconds have passed.
        #expect(await code { _ = try await service.attestedKeyID() } == .unavailable)
        service.start()
        #expect(backend.count(.challenge) == 1)
        fixture.time.advance(by: .milliseconds(1500))
        #expect(await code { _ = try await service.attestedKeyID() } == .unavailable)
        #expect(backend.count(.challenge) == 2)
        fixture.time.advance(by: .seconds(3))
        #expect(try await !service.attestedKeyID().isEmpty)
    }

    @Test func aServerThatAsksForTooMuchEndsTheRow() async throws {
        let fixture = try Fixture()
        let backend = TestBackend(fixture.authority) { step, _ in
            if step == .challenge {
                throw AttestationClientError(.unavailable, "later", retryAfter: .seconds(3600))
            }
        }
        let service = fixture.service(backend: backend)
        service.start()
        #expect(await code { _ = try await service.attestedKeyID() } == .unavailable)
        #expect(backend.count(.challenge) == 1)
    }

    @Test func anInvalidKeyIsReplacedOnce() async throws {
        let fixture = try Fixture()
        let provider = TestProvider(fixture.folder)
        let service = fixture.service(provider: provider)
        service.start()
        let first = try await service.assertion(for: Fixture.hash)
        // A thousand reports of one key replace it once.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 { group.addTask { service.keyWasRefused(generation: first.generation) } }
        }
        let second = try await service.assertion(for: Fixture.hash)
        #expect(second.keyID != first.keyID && second.generation == 1)
        #expect(try await fixture.accept(second) == 1)
        #expect(provider.count(.generate) == 2 && provider.count(.remove) == 1)
        // A late report of the first key does nothing.
        service.keyWasRefused(generation: first.generation)
        #expect("\(service.state)" == "attested")
        service.keyWasRefused(generation: second.generation)
        #expect(await code { _ = try await service.assertion(for: Fixture.hash) } == .exhausted)
        // So it stays, in another process too.
        let next = fixture.service(provider: provider)
        next.start()
        #expect(await code { _ = try await next.attestedKeyID() } == .exhausted)
        #expect(provider.count(.generate) == 2)
        // Until somebody says otherwise.
        try await next.reset()
        #expect("\(next.state)" == "idle")
        next.start()
        #expect(try await fixture.accept(next.assertion(for: Fixture.hash)) == 1)
    }

    @Test func aKeyWhoseFileIsGoneIsReplaced() async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let first = try await service.assertion(for: Fixture.hash)
        try fixture.folder.remove { $0.hasSuffix(".key") }
        let second = try await service.assertion(for: Fixture.hash)
        #expect(second.keyID != first.keyID)
        #expect(try await fixture.accept(second) == 1)
    }

    @Test func anotherProcessFollowsTheReplacement() async throws {
        let fixture = try Fixture()
        let (one, two) = (fixture.service(), fixture.service())
        one.start()
        let old = try await one.assertion(for: Fixture.hash)
        two.start()
        #expect(try await two.assertion(for: Fixture.hash).keyID == old.keyID)
        one.keyWasRefused(generation: old.generation)
        let new = try await one.assertion(for: Fixture.hash)
        #expect(new.keyID != old.keyID)
        // The second finds the key gone, and does not use up the one replacement.
        let followed = try await two.assertion(for: Fixture.hash)
        #expect(followed.keyID == new.keyID && followed.generation == 1)
        #expect(await fixture.authority.keyIDs.count == 2)
    }

    @Test func aKeyThatCannotBeAttestedIsReplacedOnceInARow() async throws {
        let fixture = try Fixture()
        let provider = TestProvider(fixture.folder) { step, count in
            if step == .attest, count == 1 { throw AttestationClientError(.keyInvalid, "gone") }
        }
        let service = fixture.service(provider: provider)
        service.start()
        _ = try await service.attestedKeyID()
        #expect(provider.count(.generate) == 2 && provider.count(.remove) == 1)
        let never = TestProvider(fixture.folder) { step, _ in
            if step == .attest { throw AttestationClientError(.keyInvalid, "gone") }
        }
        let other = fixture.service(
            provider: never,
            store: AttestationKeyFile(path: fixture.folder["other.json"])
        )
        other.start()
        #expect(await code { _ = try await other.attestedKeyID() } == .keyInvalid)
        #expect(never.count(.generate) == 2)
        // Nor does the next process make one.
        for _ in 0..<2 {
            let next = fixture.service(
                provider: never,
                store: AttestationKeyFile(path: fixture.folder["other.json"])
            )
            next.start()
            #expect(await code { _ = try await next.attestedKeyID() } == .exhausted)
        }
        #expect(never.count(.generate) == 2 && never.count(.remove) == 2)
    }

    private func failure(of service: AttestationService) async -> AttestationClientError.Code? {
        await code { _ = try await service.attestedKeyID() }
    }

    @Test func aRefusedAttestationDropsItsKey() async throws {
        let fixture = try Fixture()
        let service = fixture.service(
            backend: TestBackend(fixture.authority) { step, _ in
                if step == .submission { throw AttestationClientError(.refused, "no") }
            }
        )
        service.start()
        #expect(await code { _ = try await service.attestedKeyID() } == .refused)
        #expect(try fixture.file.load() == AttestationRecord(wasReplaced: true))
        #expect(!fixture.folder.namesWithoutLocks.contains { $0.hasSuffix(".key") })
    }

    @Test func whoFailsSaysWhenTheNextTryIs() async throws {
        let fixture = try Fixture()
        let backend = TestBackend(fixture.authority) { step, count in
            if step == .challenge, count == 1 { throw AttestationClientError(.unavailable, "later") }
            if step == .challenge { throw AttestationClientError(.refused, "no") }
        }
        var configuration = AttestationConfiguration()
        configuration.maximumAttempts = 1
        configuration.baseDelay = .seconds(1)
        let service = fixture.service(
            backend: backend,
            configuration: configuration,
            time: fixture.time.source
        )
        func wait() async -> Duration? {
            let error = await #expect(throws: AttestationClientError.self) {
                try await service.attestedKeyID()
            }
            return error?.retryAfter
        }
        service.start()
        // Three quarters of two seconds, to whoever waited and to whoever asks later.
        #expect(await wait() == .milliseconds(1500))
        fixture.time.advance(by: .milliseconds(500))
        #expect(await wait() == .seconds(1))
        guard case .failed(let error) = service.state else {
            Issue.record("it is \(service.state)")
            return
        }
        #expect(error.retryAfter == .seconds(1))
        fixture.time.advance(by: .seconds(1))
        // What stays has no next time.
        #expect(await wait() == nil)
    }

    @Test func aProcessThatHangsIsNotWaitedForForEver() async throws {
        let fixture = try Fixture()
        let provider = TestProvider(fixture.folder)
        let service = fixture.service(provider: provider)
        let claim = try #require(try fixture.file.claim())
        service.start()
        #expect(await failure(of: service) == .unavailable)
        #expect(provider.count(.generate) == 0)
        withExtendedLifetime(claim) {}
    }
}
