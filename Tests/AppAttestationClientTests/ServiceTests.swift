import AppAttestationClient
import ProtectionTesting
import TestSupport
import Testing
import Timing

@Suite("The service", .timeLimit(.minutes(2))) struct ServiceTests {
    @Test func itGoesFromIdleToAttested() async throws {
        let fixture = try Fixture()
        let gate = TestGate()
        let service = fixture.service(
            backend: TestBackend(fixture.authority) { step, _ in if step == .challenge { await gate.pass() } }
        )
        #expect("\(service.state)" == "idle")
        #expect(await code { _ = try await service.attestedKeyID() } == .notStarted)
        service.start()
        #expect("\(service.state)" == "attesting")
        await gate.arrivals(1)
        gate.open()
        let keyID = try await service.attestedKeyID()
        guard case .attested(keyID) = service.state else {
            Issue.record("it is \(service.state)")
            return
        }
        #expect("\(service.state)" == "attested")
        #expect(await fixture.authority.keyIDs == [keyID])
        for count in 1...3 {
            let assertion = try await service.assertion(for: Fixture.hash)
            #expect(try await fixture.accept(assertion) == UInt32(count))
            #expect(assertion.keyID == keyID && assertion.generation == 0)
        }
    }

    @Test func aStoredKeyIsTakenWithoutAWord() async throws {
        let fixture = try Fixture()
        let first = fixture.service()
        first.start()
        let keyID = try await first.attestedKeyID()
        // Not even whether keys can be made is asked.
        let provider = TestProvider(fixture.folder, isSupported: false)
        let backend = TestBackend(fixture.authority)
        let second = fixture.service(provider: provider, backend: backend)
        second.start()
        #expect(try await second.attestedKeyID() == keyID)
        #expect(backend.count(.challenge) == 0 && provider.count(.generate) == 0)
        #expect(try await fixture.accept(second.assertion(for: Fixture.hash)) == 1)
    }

    @Test func aThousandWaitersShareOneAttestation() async throws {
        let fixture = try Fixture()
        let gate = TestGate()
        let provider = TestProvider(fixture.folder)
        let backend = TestBackend(fixture.authority) { step, _ in
            if step == .challenge { await gate.pass() }
        }
        let service = fixture.service(provider: provider, backend: backend)
        service.start()
        let keyIDs = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1000 { group.addTask { try await service.attestedKeyID() } }
            await gate.arrivals(1)
            gate.open()
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(keyIDs.count == 1)
        #expect(provider.count(.generate) == 1 && provider.count(.attest) == 1)
        #expect(backend.count(.challenge) == 1 && backend.count(.submission) == 1)
    }

    @Test func aThousandWaitersShareOneFailure() async throws {
        let fixture = try Fixture()
        let gate = TestGate()
        let backend = TestBackend(fixture.authority) { step, _ in
            guard step == .submission else { return }
            await gate.pass()
            throw AttestationClientError(.refused, "no")
        }
        let service = fixture.service(backend: backend)
        service.start()
        let codes = await withTaskGroup(of: AttestationClientError.Code?.self) { group in
            for _ in 0..<1000 {
                group.addTask { await code { _ = try await service.attestedKeyID() } }
            }
            await gate.arrivals(1)
            gate.open()
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == [.refused: 1000])
        #expect(backend.count(.submission) == 1)
        #expect("\(service.state)" == "failed (refused)")
        // What is refused stays so.
        service.start()
        #expect(await code { _ = try await service.assertion(for: Fixture.hash) } == .refused)
        #expect(backend.count(.challenge) == 1)
    }

    @Test func eachWaiterHasItsOwnDeadline() async throws {
        let fixture = try Fixture()
        let gate = TestGate()
        let service = fixture.service(
            backend: TestBackend(fixture.authority) { step, _ in if step == .challenge { await gate.pass() }
            },
            time: fixture.time.source
        )
        service.start()
        async let short = code { _ = try await service.attestedKeyID(deadline: .seconds(5)) }
        async let usual = code { _ = try await service.attestedKeyID() }
        async let long = service.attestedKeyID(deadline: .seconds(60))
        try await eventually { fixture.time.sleeperCount >= 3 }
        fixture.time.advance(by: .seconds(5))
        #expect(await short == .timedOut)
        #expect(fixture.time.sleeperCount == 2)
        fixture.time.advance(by: .seconds(25))
        #expect(await usual == .timedOut)
        gate.open()
        #expect(try await !long.isEmpty)
        try await eventually { fixture.time.sleeperCount == 0 }
    }

    @Test func aCancelledWaiterLeavesAtOnceAndAlone() async throws {
        let fixture = try Fixture()
        let gate = TestGate()
        let service = fixture.service(
            backend: TestBackend(fixture.authority) { step, _ in if step == .challenge { await gate.pass() } }
        )
        service.start()
        let patient = Task { try await service.attestedKeyID() }
        let hasty = Task { try await service.attestedKeyID() }
        hasty.cancel()
        await #expect(throws: CancellationError.self) { try await hasty.value }
        #expect("\(service.state)" == "attesting")
        gate.open()
        #expect(try await !patient.value.isEmpty)
    }

    @Test func keysThatCannotBeMadeAreNotAskedFor() async throws {
        let fixture = try Fixture()
        let backend = TestBackend(fixture.authority)
        let service = fixture.service(
            provider: TestProvider(fixture.folder, isSupported: false),
            backend: backend
        )
        service.start()
        #expect(await code { _ = try await service.attestedKeyID() } == .notSupported)
        #expect(backend.count(.challenge) == 0)
    }

    @Test func aShortClientDataHashIsRefused() async throws {
        let service = try Fixture().service()
        let hash = [UInt8](repeating: 0, count: 15)
        #expect(await code { _ = try await service.assertion(for: hash) } == .invalidClientDataHash)
    }

    @Test func assertionsComeInOrder() async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let assertions = try await withThrowingTaskGroup(of: KeyAssertion.self) { group in
            for _ in 0..<50 { group.addTask { try await service.assertion(for: Fixture.hash) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let counters = try assertions.map { try Self.counter(of: $0.object) }
        #expect(counters.sorted() == Array(1...50))
    }

    @Test func errorsOfAProviderHaveACode() async throws {
        struct Fault: Error {}
        let fixture = try Fixture()
        let service = fixture.service(
            provider: TestProvider(fixture.folder) { step, _ in if step == .assert { throw Fault() } }
        )
        service.start()
        #expect(await code { _ = try await service.assertion(for: Fixture.hash) } == .providerFailed)
        let other = fixture.service(
            provider: TestProvider(fixture.folder) { step, _ in if step == .generate { throw Fault() } },
            store: AttestationKeyFile(path: fixture.folder["other.json"])
        )
        other.start()
        #expect(await code { _ = try await other.attestedKeyID() } == .providerFailed)
    }

    static func counter(of object: [UInt8]) throws -> UInt32 {
        // …, "authenticatorData": 37 octets, which end with the counter; the signature may come before or after.
        let label = Array("authenticatorData".utf8) + [0x58, 37]
        let start = try #require(object.indices.first { object[$0...].starts(with: label) }) + label.count
        return object[(start + 33)..<(start + 37)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
