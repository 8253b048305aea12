import AWSSigning
import FoundationEssentials
import Testing

/// What a source in trouble comes to.
extension CacheTests {
    /// A source in trouble is not asked for each request, and less often while the trouble lasts.
    @Test(arguments: [false, true]) func aFailureIsRememberedForAWhile(hasEnded: Bool) async throws {
        let clock = TestClock()
        let source = Source(clock)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        if hasEnded {
            _ = try await cache.credentials()
            clock.advance(by: 3_600)
        }
        let first = source.calls
        source.fail(true)
        func expectTrouble(calls: Int) async {
            for _ in 0..<3 { await #expect(throws: Trouble.self) { try await cache.credentials() } }
            #expect(source.calls == first + calls)
        }
        await expectTrouble(calls: 1)
        for (calls, longest) in zip(1..., [2.0, 4, 8, 16, 30, 30]) {
            clock.advance(by: longest * 0.49)
            await expectTrouble(calls: calls)
            clock.advance(by: longest * 0.51 + 0.001)
            await expectTrouble(calls: calls + 1)
        }
        source.fail(false)
        clock.advance(by: 31)
        #expect(try await cache.credentials().accessKeyID == "KEY\(source.calls)")
        // It begins anew with the next one.
        cache.invalidate()
        source.fail(true)
        await #expect(throws: Trouble.self) { try await cache.credentials() }
        source.fail(false)
        clock.advance(by: 2.001)
        #expect(try await cache.credentials().accessKeyID == "KEY\(source.calls)")
    }

    @Test func whoInvalidatesNeedNotWait() async throws {
        let clock = TestClock()
        let source = Source(clock)
        source.fail(true)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        await #expect(throws: Trouble.self) { try await cache.credentials() }
        source.fail(false)
        await #expect(throws: Trouble.self) { try await cache.credentials() }
        cache.invalidate()
        #expect(try await cache.credentials().accessKeyID == "KEY2")
    }

    @Test func whenRenewalFailsTheOldOnesServeToTheirEnd() async throws {
        let clock = TestClock()
        let source = Source(clock)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        _ = try await cache.credentials()
        source.fail(true)
        clock.advance(by: 3_599)
        #expect(try await cache.credentials().accessKeyID == "KEY1")
        clock.advance(by: 1)
        await #expect(throws: Trouble.self) { try await cache.credentials() }
        source.fail(false)
        clock.advance(by: 4)
        #expect(try await cache.credentials().accessKeyID == "KEY\(source.calls)")
    }

    /// Who comes in the last minute does not wait for what has just failed.
    @Test(arguments: [3_541.0, 3_565]) func afterAFailureTheOldOnesAreGivenAtOnce(start: Double) async throws
    {
        let clock = TestClock()
        let source = Source(clock)
        let cache = CachedCredentialsProvider(source, time: clock.source)
        _ = try await cache.credentials()
        source.fail(true)
        clock.advance(by: start)
        for _ in 0..<3 { #expect(try await cache.credentials().accessKeyID == "KEY1") }
        clock.advance(by: 29)
        for _ in 0..<3 { #expect(try await cache.credentials().accessKeyID == "KEY1") }
        #expect(source.calls == 2)
        source.fail(false)
        clock.advance(by: 1)
        #expect(try await cache.credentials().accessKeyID == "KEY3")
    }
}
