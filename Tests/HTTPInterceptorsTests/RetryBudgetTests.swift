import HTTPInterceptors
import HTTPMessages
import TestSupport
import Testing

@Suite("Retry budget") struct RetryBudgetTests {
    private func retries(
        _ requests: Int,
        over session: FakeSession,
        budget: RetryBudget,
        policy: RetryPolicy = RetryPolicy()
    ) async throws -> Int {
        let retry = RetryInterceptor(policy: policy, budget: budget, time: FakeTime().source)
        let before = session.requests.count
        for _ in 0..<requests {
            _ = try await session.data(
                for: try HTTPRequest(url: "https://example.com/"),
                interceptors: [retry]
            )
        }
        return session.requests.count - before - requests
    }

    @Test(arguments: [(20, 10, 100, 30), (10, 0, 100, 10), (0, 3, 100, 3), (100, 0, 50, 50), (0, 0, 9, 0)])
    func inAnOutageThereAreAPartOfTheRequestsAndTheReserve(
        percent: Int,
        reserve: Int,
        requests: Int,
        allowed: Int
    ) async throws {
        let budget = RetryBudget(percent: percent, reserve: reserve)
        #expect(try await retries(requests, over: FakeSession(503), budget: budget) == allowed)
    }

    @Test func asMuchAsThereIsIsNotTooMuch() async throws {
        let budget = RetryBudget(percent: .max, reserve: .max, capacity: .max)
        #expect(try await retries(3, over: FakeSession(503), budget: budget) == 6)
    }

    @Test func aGoodTimeIsSavedUpToTheCapacity() async throws {
        let budget = RetryBudget(percent: 20, reserve: 0, capacity: 7)
        #expect(try await retries(1000, over: FakeSession(200), budget: budget) == 0)
        var policy = RetryPolicy()
        policy.maximumAttempts = 1000
        policy.totalLimit = nil
        #expect(try await retries(1, over: FakeSession(503), budget: budget, policy: policy) == 7)
    }

    @Test func aRequestThatIsNotRetriedTakesNothing() async throws {
        let budget = RetryBudget(percent: 0, reserve: 1)
        #expect(try await retries(50, over: FakeSession(404), budget: budget) == 0)
        #expect(try await retries(1, over: FakeSession(503), budget: budget) == 1)
    }

    @Test func oneBudgetIsSharedByInterceptorsAndTasks() async throws {
        let budget = RetryBudget(percent: 10, reserve: 5)
        let session = FakeSession(503)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask { _ = try await retries(1, over: session, budget: budget) }
            }
            try await group.waitForAll()
        }
        #expect(session.requests.count == 200 + 20 + 5)
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func theBoundHoldsInAnyMixture(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let percent = Int.random(in: 0...100, using: &generator)
        let reserve = Int.random(in: 0...20, using: &generator)
        let budget = RetryBudget(percent: percent, reserve: reserve)
        var (requests, retried) = (0, 0)
        for _ in 0..<30 {
            let count = Int.random(in: 1...20, using: &generator)
            let session = FakeSession(Bool.random(using: &generator) ? 503 : 200)
            retried += try await retries(count, over: session, budget: budget)
            requests += count
            #expect(retried * 100 <= requests * percent + reserve * 100)
        }
    }
}
