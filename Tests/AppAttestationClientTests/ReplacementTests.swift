import AppAttestationClient
import Cryptography
import ProtectionTesting
import TestSupport
import Testing

@Suite("What ends a key, and how often", .timeLimit(.minutes(2))) struct ReplacementTests {
    private func failure(of service: AttestationService) async -> AttestationClientError.Code? {
        await code { _ = try await service.attestedKeyID() }
    }

    @Test(arguments: [AttestationClientError.Code.storeDamaged, .init(description: "ownCode"), nil])
    func aKeyThatFailsForAnotherReasonIsReplacedOnceToo(own: AttestationClientError.Code?) async throws {
        struct Fault: Error {}
        let fixture = try Fixture()
        let failing = TestProvider(fixture.folder) { step, _ in
            guard step == .attest else { return }
            throw own.map { AttestationClientError($0, "for good") as any Error } ?? Fault()
        }
        let first = fixture.service(provider: failing)
        first.start()
        #expect(await failure(of: first) == own ?? .providerFailed)
        #expect(failing.count(.generate) == 2)
        #expect(try fixture.file.load() == AttestationRecord(wasReplaced: true, isExhausted: true))
        let next = fixture.service()
        next.start()
        #expect(await failure(of: next) == .exhausted)
    }

    @Test(arguments: [
        AttestationClientError(.storeFailed, "not now"), AttestationClientError(.notSupported, "never"),
        AttestationClientError(.providerFailed, "stopped", underlying: CancellationError()),
        AttestationClientError(
            .cryptographyFailure,
            "PIN",
            underlying: CryptographyError(.wrongPassphrase, "wrong")
        ),
    ]) func whatIsNotTheKeysFaultLeavesIt(error: AttestationClientError) async throws {
        let fixture = try Fixture()
        let failing = TestProvider(fixture.folder) { step, _ in if step == .attest { throw error } }
        let first = fixture.service(provider: failing)
        first.start()
        #expect(await failure(of: first) == error.code)
        let pending = try fixture.file.load().pendingKeyID
        let next = fixture.service()
        next.start()
        #expect(try await next.attestedKeyID() == pending)
        #expect(failing.count(.generate) == 1)
    }

    @Test func aDamagedPendingKeyIsReplaced() async throws {
        let fixture = try Fixture()
        let provider = SoftwareAttestationProvider(
            directory: fixture.folder.path,
            appID: TestAuthority.appID
        )
        let pending = try provider.generateKey()
        try fixture.file.update { $0.pendingKeyID = pending }
        let name = try #require(fixture.folder.names.first { $0.hasSuffix(".key") })
        try fixture.folder.write(name, "damaged")
        let service = fixture.service()
        service.start()
        let assertion = try await service.assertion(for: Fixture.hash)
        #expect(assertion.keyID != pending)
        #expect(try await fixture.accept(assertion) == 1)
    }

    @Test func aBackendThatRefusesAlwaysSeesTwoKeys() async throws {
        let fixture = try Fixture()
        let provider = TestProvider(fixture.folder)
        let backend = TestBackend(fixture.authority) { step, _ in
            if step == .submission { throw AttestationClientError(.refused, "no") }
        }
        var codes: [AttestationClientError.Code?] = []
        for _ in 0..<4 {
            let service = fixture.service(provider: provider, backend: backend)
            service.start()
            codes.append(await failure(of: service))
        }
        #expect(codes == [.refused, .refused, .exhausted, .exhausted])
        #expect(provider.count(.generate) == 2 && backend.count(.submission) == 2)
    }

    @Test(arguments: [
        AttestationClientError.Code.providerFailed, .cryptographyFailure, .counterExhausted, nil,
    ])
    func aKeyThatFailsToSignIsReplacedOnce(own: AttestationClientError.Code?) async throws {
        struct Fault: Error {}
        let fixture = try Fixture()
        @Sendable func fault() -> any Error {
            own.map { AttestationClientError($0, "for good") as any Error } ?? Fault()
        }
        let once = TestProvider(fixture.folder) { step, count in
            if step == .assert, count == 1 { throw fault() }
        }
        let service = fixture.service(provider: once)
        service.start()
        let old = try await service.attestedKeyID()
        let assertion = try await service.assertion(for: Fixture.hash)
        #expect(assertion.keyID != old && assertion.generation == 1)
        #expect(try await fixture.accept(assertion) == 1)
        // What fails with the successor as well lies elsewhere: the key stays.
        let always = TestProvider(fixture.folder) { step, _ in if step == .assert { throw fault() } }
        let next = fixture.service(provider: always)
        next.start()
        for _ in 0..<2 {
            let found = await code {
                _ = try await next.assertion(for: Fixture.hash)
            }
            #expect(found == own ?? .providerFailed)
        }
        #expect(try await next.attestedKeyID() == assertion.keyID)
        #expect(always.count(.generate) == 0 && always.count(.assert) == 2)
    }

    /// A page of a load balancer, or a full disk, as often as one row of tries and again after a restart.
    @Test(arguments: [
        TestBackend.Step.challenge, .submission,
    ])
    func whatPassesCostsNoKey(step: TestBackend.Step) async throws {
        let fixture = try Fixture()
        let provider = TestProvider(fixture.folder)
        for code in [AttestationClientError.Code.invalidResponse, .storeFailed, .unavailable] {
            let failing = TestBackend(fixture.authority) { taken, _ in
                if taken == step { throw AttestationClientError(code, "a fault that passes") }
            }
            let service = fixture.service(provider: provider, backend: failing)
            service.start()
            #expect(await failure(of: service) == code)
            guard case .failed(let error) = service.state else {
                Issue.record("it is \(service.state)")
                return
            }
            #expect(error.retryAfter != nil)
            let record = try fixture.file.load()
            #expect(record.pendingKeyID != nil && !record.wasReplaced && !record.isExhausted)
        }
        #expect(provider.count(.generate) == 1)
    }

    /// The first request that is taken a day after the attestation gives the replacement back, and no earlier one.
    @Test(arguments: [(0, false), (86_399, false), (86_400, true), (400_000, true)])
    func aSuccessorThatHasServedMayBeReplaced(seconds: Int, isSettled: Bool) async throws {
        let fixture = try Fixture()
        let provider = TestProvider(fixture.folder)
        let service = fixture.service(provider: provider, time: fixture.time.source)
        service.start()
        let old = try await service.attestedKeyID()
        service.keyWasRefused(generation: 0)
        let successor = try await service.attestedKeyID()
        #expect(successor != old)
        #expect(try fixture.file.load().wasReplaced)
        fixture.time.advance(by: .seconds(seconds))
        await service.keyWasAccepted(generation: 0)
        #expect(try fixture.file.load().wasReplaced)
        await service.keyWasAccepted(generation: 1)
        #expect(try fixture.file.load().wasReplaced == !isSettled)
        // A process that starts later knows the same.
        let next = fixture.service(provider: provider, time: fixture.time.source)
        next.start()
        #expect(try await next.attestedKeyID() == successor)
        next.keyWasRefused(generation: 1)
        #expect(await failure(of: next) == (isSettled ? nil : .exhausted))
        #expect(provider.count(.generate) == (isSettled ? 3 : 2))
        guard isSettled else { return }
        // And only so often.
        await next.keyWasAccepted(generation: 2)
        next.keyWasRefused(generation: 2)
        #expect(await failure(of: next) == .exhausted)
        #expect(provider.count(.generate) == 3)
    }

    @Test(arguments: [AttestationClientError.Code.storeDamaged, .storeFailed, .unavailable])
    func otherFailuresToSignLeaveTheKey(own: AttestationClientError.Code) async throws {
        let fixture = try Fixture()
        let provider = TestProvider(fixture.folder) { step, count in
            if step == .assert, count == 1 { throw AttestationClientError(own, "not the key") }
        }
        let service = fixture.service(provider: provider)
        service.start()
        let found = await code {
            _ = try await service.assertion(for: Fixture.hash)
        }
        #expect(found == own)
        #expect(try await fixture.accept(service.assertion(for: Fixture.hash)) == 1)
        #expect(provider.count(.generate) == 1)
    }
}
