import AWSSigning
import FoundationEssentials
import Locking
import Timing
import TestSupport
import Testing

@Suite("Cache of credentials") struct CacheTests {
    struct Trouble: Error {}

    /// Gives credentials with a number, for an hour each, or fails while it is told to.
    final class Source: AWSCredentialsProvider {
        let clock: TestClock
        let gate: Gate?
        let life: Double?
        private let state = Mutex((calls: 0, fails: false))

        init(_ clock: TestClock, life: Double? = 3_600, gate: Gate? = nil) {
            self.clock = clock
            self.life = life
            self.gate = gate
        }

        var calls: Int { state.withLock { $0.calls } }

        func fail(_ fails: Bool) { state.withLock { $0.fails = fails } }

        func credentials() async throws -> AWSCredentials {
            let (number, fails) = state.withLock { state in
                state.calls += 1
                return (state.calls, state.fails)
            }
            // One guest too many would wait for ever: the gate is for the first call.
            if number == 1 { await gate?.wait() }
            if fails { throw Trouble() }
            return try Example.credentials(
                "KEY\(number)",
                expiration: life.map { clock.source.date().addingTimeInterval($0) }
            )
        }
    }

    /// Callers come before, while and after the answer comes, and in between two looks at the cache.
    @Test(arguments: 0..<50) func manyCallersAskOnce(round: Int) async throws {
        let clock = TestClock()
        let gate = Gate(count: 2)
        let source = Source(clock, gate: gate)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<200 { group.addTask { try await cache.credentials().accessKeyID } }
            // The source waits until this second guest of the gate has come.
            await gate.wait()
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names == ["KEY1"] && source.calls == 1)
    }

    /// The source has no better ones, so it is not asked for each request of a service whose clock is far ahead.
    @Test func whatHasJustComeIsGivenWhateverTheDate() async throws {
        let clock = TestClock()
        let source = Source(clock)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        let ahead = clock.source.date().addingTimeInterval(7_200)
        for _ in 0..<5 {
            #expect(try await cache.credentials(at: ahead).accessKeyID == "KEY1")
            #expect(try await cache.credentials().accessKeyID == "KEY1")
        }
        clock.advance(by: 31)
        #expect(try await cache.credentials(at: ahead).accessKeyID == "KEY2")
        #expect(source.calls == 2)
    }

    /// One that asks another cache asks it with the date of the service.
    @Test func theDateReachesTheCacheBehind() async throws {
        let clock = TestClock()
        let source = Source(clock)
        let inner = CachedCredentialsProvider(source, time: clock.source)
        let outer = CachedCredentialsProvider(inner, time: clock.source)
        #expect(try await inner.credentials().accessKeyID == "KEY1")
        clock.advance(by: 31)
        let ahead = clock.source.date().addingTimeInterval(3_600)
        #expect(try await outer.credentials(at: ahead).accessKeyID == "KEY2")
    }

    @Test func credentialsAreRenewedBeforeTheyEnd() async throws {
        let clock = TestClock()
        let source = Source(clock)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        #expect(try await cache.credentials().accessKeyID == "KEY1")
        clock.advance(by: 3_299)
        #expect(try await cache.credentials().accessKeyID == "KEY1")
        #expect(source.calls == 1)
        // Within the window the old ones are given while one task renews.
        clock.advance(by: 2)
        #expect(try await cache.credentials().accessKeyID == "KEY1")
        try await eventually { try await cache.credentials().accessKeyID != "KEY1" }
        #expect(try await cache.credentials().accessKeyID == "KEY2")
        #expect(source.calls == 2)
    }

    @Test func inTheLastMinuteCallersWait() async throws {
        let clock = TestClock()
        let source = Source(clock)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        _ = try await cache.credentials()
        clock.advance(by: 3_541)
        #expect(try await cache.credentials().accessKeyID == "KEY2")
    }

    @Test func credentialsThatDoNotEndAreKept() async throws {
        let clock = TestClock()
        let source = Source(clock, life: nil)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        _ = try await cache.credentials()
        clock.advance(by: 1e9)
        #expect(try await cache.credentials().accessKeyID == "KEY1")
        cache.invalidate()
        #expect(try await cache.credentials().accessKeyID == "KEY2")
    }

    @Test func whatWasRefusedIsDroppedUnlessOthersHaveCome() async throws {
        let clock = TestClock()
        let source = Source(clock)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        let first = try await cache.credentials()
        cache.invalidate(try Example.credentials("KEY1", secret: "another", expiration: first.expiration))
        #expect(try await cache.credentials().accessKeyID == "KEY1")
        for _ in 0..<2 {
            cache.invalidate(first)
            #expect(try await cache.credentials().accessKeyID == "KEY2")
        }
        #expect(source.calls == 2)
    }

    @Test(.timeLimit(.minutes(1))) func whatIsBeingFetchedIsDroppedToo() async throws {
        let clock = TestClock()
        let gate = Gate(count: 2)
        let source = Source(clock, gate: gate)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        let waiting = Task { try await cache.credentials().accessKeyID }
        while source.calls == 0 { await Task.yield() }
        cache.invalidate()
        for _ in 0..<10_000 where source.calls < 2 { await Task.yield() }
        #expect(source.calls == 2)
        await gate.wait()
        // The caller that waits gets what was fetched after, and what comes late is not kept.
        #expect(try await waiting.value == "KEY2")
        for _ in 0..<100 {
            await Task.yield()
            #expect(try await cache.credentials().accessKeyID == "KEY2")
        }
        #expect(source.calls == 2)
    }

    @Test(.timeLimit(.minutes(1))) func aSourceThatNeverAnswersIsLeftBehind() async throws {
        let clock = TestClock()
        let gate = Gate(count: 2)
        let source = Source(clock, gate: gate)
        let cache = CachedCredentialsProvider(source, limit: .seconds(10), time: clock.source)
        let waiting = Task { try await cache.credentials() }
        while source.calls == 0 || clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: 10)
        let error = await #expect(throws: AWSSigningError.self) { try await waiting.value }
        #expect(error?.code == .endpointFailed)
        clock.advance(by: 2.001)
        #expect(try await cache.credentials().accessKeyID == "KEY2")
        await gate.wait()
    }

    @Test func aSourceThatGivesUpCancelsNobody() async throws {
        struct Cancelled: AWSCredentialsProvider {
            func credentials() async throws -> AWSCredentials { throw CancellationError() }
        }
        let cache = CachedCredentialsProvider(Cancelled(), time: TestClock().source)
        let error = await #expect(throws: AWSSigningError.self) { try await cache.credentials() }
        #expect(error?.code == .endpointFailed)
    }

    /// This machine's clock may be the one that is wrong.
    @Test func newCredentialsAreGivenWhateverTheClockSays() async throws {
        let clock = TestClock()
        let source = Source(clock, life: -7_200)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        #expect(try await cache.credentials().accessKeyID == "KEY1")
        // They are kept for a service whose clock is behind, and for no other.
        let date = Example.date.addingTimeInterval(-10_800)
        #expect(try await cache.credentials(at: date).accessKeyID == "KEY1")
        clock.advance(by: 31)
        #expect(try await cache.credentials().accessKeyID == "KEY2")
    }

    @Test func theEndIsOneOfTheServicesClock() async throws {
        let clock = TestClock()
        let source = Source(clock)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        #expect(try await cache.credentials().accessKeyID == "KEY1")
        clock.advance(by: 31)
        source.fail(true)
        let date = Example.date
        #expect(try await cache.credentials(at: date.addingTimeInterval(3_599)).accessKeyID == "KEY1")
        await #expect(throws: Trouble.self) {
            try await cache.credentials(at: date.addingTimeInterval(3_600))
        }
        source.fail(false)
        clock.advance(by: 2.001)
        let chain = ChainedCredentialsProvider([cache])
        #expect(try await chain.credentials().accessKeyID == "KEY1")
        #expect(try await chain.credentials(at: date.addingTimeInterval(3_600)).accessKeyID == "KEY3")
    }

    @Test func aCallerThatIsCancelledStopsWaitingAloneAndAtOnce() async throws {
        let clock = TestClock()
        let gate = Gate(count: 2)
        let source = Source(clock, gate: gate)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        let cancelled = Task { try await cache.credentials() }
        let other = Task { try await cache.credentials() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        await gate.wait()
        #expect(try await other.value.accessKeyID == "KEY1")
        #expect(source.calls == 1)
    }
}
