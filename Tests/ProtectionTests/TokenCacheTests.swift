import Encodings
import FoundationEssentials
import HTTPMessages
import Protection
import ProtectionTesting
import Locking
import TestSupport
import Testing
import Timing

@Suite("Token cache") struct TokenCacheTests {
    private let time = ManualTime()

    private func token(
        _ text: String,
        life: Double = 300,
        after delay: Duration = .zero
    ) -> ScriptedTokenFetcher.Answer {
        .init(
            FetchResult(status: .success, token: text, expiresAt: time.date + life),
            after: delay
        )
    }

    private func token(
        of service: ProtectionService,
        url: String = "https://example.com/"
    ) async throws -> String? {
        let update = await service.updateRequest(try HTTPRequest(url: url))
        if let error = update.error { throw error }
        return update.request.fields["Protection-Token"]
    }

    @Test func aValidTokenIsReused() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("one"), token("two")])
        let service = try TestConfiguration.service(fetcher, time: time)
        for _ in 0..<10 { #expect(try await token(of: service) == "one") }
        #expect(fetcher.tokenRequests.count == 1)
    }

    @Test func itIsRenewedInTheBackgroundFromHalfOfItsLife() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("one"), token("two", life: 600)])
        let service = try TestConfiguration.service(fetcher, time: time)
        #expect(try await token(of: service) == "one")
        time.advance(by: .seconds(149))
        #expect(try await token(of: service) == "one")
        #expect(fetcher.tokenRequests.count == 1)
        time.advance(by: .seconds(1))
        #expect(try await token(of: service) == "one")
        try await eventually { try await token(of: service) == "two" }
        #expect(fetcher.tokenRequests.count == 2)
    }

    @Test(arguments: [(0.0, 0.4), (0.999, 0.5998)]) func theHalfIsJittered(
        random: Double,
        part: Double
    ) async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("one"), token("two", life: 600)])
        let service = ProtectionService(
            options: .init(time: time.source, prefetches: false, random: { random })
        )
        service.setLoggingLevel(.off)
        try service.initialize(config: TestConfiguration.make().encoded(), fetcher: fetcher)
        _ = try await token(of: service)
        time.advance(by: .seconds(300 * part - 0.1))
        _ = try await token(of: service)
        #expect(fetcher.tokenRequests.count == 1)
        time.advance(by: .seconds(0.2))
        _ = try await token(of: service)
        try await eventually { fetcher.tokenRequests.count >= 2 }
    }

    @Test func anOldTokenServesUntilItEndsWhenRenewalFails() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("one"), .status(.noNetwork)])
        let service = try TestConfiguration.service(fetcher, time: time)
        _ = try await token(of: service)
        time.advance(by: .seconds(200))
        #expect(try await token(of: service) == "one")
        try await eventually { fetcher.tokenRequests.count >= 2 }
        time.advance(by: .seconds(99))
        #expect(try await token(of: service) == "one")
        time.advance(by: .seconds(60))
        let error = try await #require(throws: ProtectionError.self) { try await token(of: service) }
        #expect(error.code == .networking)
    }

    @Test func aHundredCallersCauseOneFetch() async throws {
        let fetcher = ScriptedTokenFetcher(
            tokens: [token("one", after: .seconds(1)), token("two")],
            time: time.source
        )
        let service = try TestConfiguration.service(fetcher, time: time)
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<100 { group.addTask { try await token(of: service) } }
            // The fetch sleeps, and so does the limit on it.
            try await eventually { time.sleeperCount >= 2 }
            time.advance(by: .seconds(1))
            for try await text in group { #expect(text == "one") }
        }
        #expect(fetcher.tokenRequests.count == 1)
    }

    @Test func aCancelledCallerLeavesTheOthersAlone() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("one", after: .seconds(1))], time: time.source)
        let service = try TestConfiguration.service(fetcher, time: time)
        let first = Task { try await token(of: service) }
        try await eventually { time.sleeperCount >= 2 }
        let second = Task { try await token(of: service) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        time.advance(by: .seconds(1))
        #expect(try await second.value == "one")
        #expect(fetcher.tokenRequests.count == 1)
    }

    @Test func aCallerThatIsCancelledBeforehandWaitsForNothing() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("one", after: .seconds(1000))])
        let service = try TestConfiguration.service(fetcher, time: time)
        let caller = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await token(of: service)
        }
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
    }

    @Test func aFailureIsRememberedForAGrowingTime() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [.status(.noNetwork)])
        let service = try TestConfiguration.service(fetcher, time: time)
        // With the jitter in its middle: 3/4 of 2, 4, 8, 16, 30, 30 seconds.
        for (count, delay) in [1500, 3000, 6000, 12_000, 22_500, 22_500].enumerated() {
            await #expect(throws: ProtectionError.self) { try await token(of: service) }
            #expect(fetcher.tokenRequests.count == count + 1)
            time.advance(by: .milliseconds(delay - 1))
            await #expect(throws: ProtectionError.self) { try await token(of: service) }
            #expect(fetcher.tokenRequests.count == count + 1)
            time.advance(by: .milliseconds(1))
        }
        fetcher.setTokens([token("one")])
        #expect(try await token(of: service) == "one")
    }

    @Test func aFetcherThatHangsIsGivenUp() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("late", after: .seconds(1_000_000))], time: .system)
        let service = try TestConfiguration.service(fetcher, time: time)
        let caller = Task { try await token(of: service) }
        try await eventually { time.sleeperCount >= 1 && !fetcher.tokenRequests.isEmpty }
        time.advance(by: .seconds(30))
        let error = try await #require(throws: ProtectionError.self) { try await caller.value }
        #expect(error.code == .networking)
        #expect(error.message.contains("POOR_NETWORK"))
    }

    @Test func anAnswerAfterTheLimitIsDropped() async throws {
        /// Heeds no cancellation, and answers when it is told to.
        final class Stubborn: TokenFetcher {
            let waiting = Mutex<CheckedContinuation<FetchResult, Never>?>(nil)
            let answered = Mutex(false)

            func fetchToken(_ request: TokenRequest) async -> FetchResult {
                let result = await withCheckedContinuation { continuation in
                    waiting.withLock { $0 = continuation }
                }
                answered.withLock { $0 = true }
                return result
            }
        }
        let fetcher = Stubborn()
        let service = ProtectionService(options: .init(time: time.source, prefetches: false))
        service.setLoggingLevel(.off)
        try service.initialize(config: TestConfiguration.make().encoded(), fetcher: fetcher)
        let caller = Task { try await token(of: service) }
        try await eventually { time.sleeperCount >= 1 && fetcher.waiting.withLock { $0 != nil } }
        time.advance(by: .seconds(30))
        await #expect(throws: ProtectionError.self) { try await caller.value }
        fetcher.waiting.withLock { $0 }?.resume(
            returning: FetchResult(status: .success, token: "late", expiresAt: time.date + 300)
        )
        try await eventually { fetcher.answered.withLock { $0 } }
        await #expect(throws: ProtectionError.self) { try await token(of: service) }
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a b", "é", "a\0b", "a\u{7F}"]) func garbageIsNoToken(
        text: String
    ) async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [.token(text)])
        let service = try TestConfiguration.service(fetcher, time: time)
        let error = try await #require(throws: ProtectionError.self) { try await token(of: service) }
        #expect(error.code == .permanent)
        #expect(!"\(error)".contains("Evil"))
    }

    @Test func aClockThatJumpsBackDoesNotKeepATokenAlive() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("one"), .status(.noNetwork)])
        let service = try TestConfiguration.service(fetcher, time: time)
        _ = try await token(of: service)
        time.setDate(time.date - 86_400)
        time.advance(by: .seconds(301))
        await #expect(throws: ProtectionError.self) { try await token(of: service) }
    }

    @Test func aClockThatJumpsForwardEndsAToken() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("one"), token("two", life: 90_000)])
        let service = try TestConfiguration.service(fetcher, time: time)
        _ = try await token(of: service)
        time.setDate(time.date + 86_400)
        #expect(try await token(of: service) == "two")
    }

    @Test func aTokenThatHasEndedByThisClockIsUsedForOneSecond() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("one", life: -10), token("two", life: -10)])
        let service = try TestConfiguration.service(fetcher, time: time)
        #expect(try await token(of: service) == "one")
        #expect(try await token(of: service) == "one")
        time.advance(by: .seconds(1))
        #expect(try await token(of: service) == "two")
    }

    @Test func aTokenWithoutAnEndIsUsedOnce() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [.token("one"), .token("two")])
        let service = try TestConfiguration.service(fetcher, time: time)
        #expect(try await token(of: service) == "one")
        #expect(try await token(of: service) == "two")
    }

    @Test func hostsAndBindingsHaveTokensOfTheirOwn() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: ["a", "b", "c", "d"].map { token($0) })
        let service = try TestConfiguration.service(fetcher, time: time, hosts: ["*.example.com"])
        try service.setBindingHeaders(["Authorization"])
        func bound(_ host: String, _ credential: String?) async throws -> String? {
            var request = try HTTPRequest(url: "https://\(host)/")
            if let credential { try request.fields.set(credential, for: .authorization) }
            return await service.updateRequest(request).request.fields["Protection-Token"]
        }
        #expect(try await bound("a.example.com", "user-1") == "a")
        #expect(try await bound("b.example.com", "user-1") == "b")
        #expect(try await bound("a.example.com", "user-2") == "c")
        #expect(try await bound("a.example.com", nil) == "d")
        #expect(try await bound("a.example.com", "user-1") == "a")
        #expect(fetcher.tokenRequests.last?.dataHash == nil)
    }

    /// By a clock that is ten minutes slow the token seems good for fifteen; its own claims say five.
    @Test func aSlowClockDoesNotLengthenALife() async throws {
        func jwt(_ name: String) -> FetchResult {
            let start = Int64(time.date.timeIntervalSince1970) + 600
            let parts = [
                #"{"alg":"HS256"}"#, #"{"jti":"\#(name)","iat":\#(start),"exp":\#(start + 300)}"#, "code",
            ]
            let text = parts.map { Base64.url.encode(Array($0.utf8)) }.joined(separator: ".")
            return FetchResult(status: .success, token: text, expiresAt: time.date + 900)
        }
        let (one, two) = (jwt("one"), jwt("two"))
        let fetcher = ScriptedTokenFetcher(tokens: [.init(one), .init(two)])
        let service = try TestConfiguration.service(fetcher, time: time)
        #expect(try await token(of: service) == one.token)
        time.advance(by: .seconds(149))
        #expect(try await token(of: service) == one.token && fetcher.tokenRequests.count == 1)
        time.advance(by: .seconds(151))
        #expect(try await token(of: service) == two.token)
    }

    @Test(arguments: [1e300, .infinity, 1e12]) func anEndBeyondAllTimeStopsNobody(life: Double) async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("one", life: life), token("two")])
        let service = try TestConfiguration.service(fetcher, time: time)
        for _ in 0..<2 { #expect(try await token(of: service) == "one") }
        #expect(fetcher.tokenRequests.count == 1)
    }

    @Test func aHostThatIsNotProtectedIsNeverAskedFor() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("one")])
        let service = try TestConfiguration.service(fetcher, time: time)
        #expect(try await token(of: service, url: "https://example.com.evil.example/") == nil)
        #expect(fetcher.tokenRequests.isEmpty)
    }

    /// 4,096 tokens are kept at most; when there are more, arbitrary ones go, an eighth of them at a time.
    @Test func manyBindingsStayWithinTheLimit() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("one")])
        let service = try TestConfiguration.service(fetcher, time: time)
        try service.setBindingHeaders(["Authorization"])
        func fetches(for users: Range<Int>) async throws -> Int {
            let before = fetcher.tokenRequests.count
            for user in users {
                var request = try HTTPRequest(url: "https://example.com/")
                try request.fields.set("user-\(user)", for: .authorization)
                #expect(await service.updateRequest(request).decision == .proceed)
            }
            return fetcher.tokenRequests.count - before
        }
        #expect(try await fetches(for: 0..<4096) == 4096)
        #expect(try await fetches(for: 0..<4096) == 0)
        #expect(try await fetches(for: 4096..<5000) == 904)
        // At least those that went are fetched again, and in place of others.
        #expect(try await fetches(for: 0..<5000) >= 904)
        // What is within the limit is kept again.
        #expect(try await fetches(for: 4999..<5000) == 0)
    }

    @Test func aDevelopmentKeyForgetsTheTokensBefore() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [token("one"), token("two")])
        let service = try TestConfiguration.service(fetcher, time: time)
        _ = try await token(of: service)
        service.setDevelopmentKey("development")
        #expect(fetcher.developmentKey == "development")
        #expect(try await token(of: service) == "two")
    }
}
