import HTTPInterceptors
import HTTPMessages
import Testing
import Timing

@Suite("Retry") struct RetryTests {
    private let time = FakeTime()

    private func send(
        _ request: HTTPRequest,
        over session: FakeSession,
        policy: RetryPolicy = RetryPolicy(),
        budget: RetryBudget = RetryBudget(),
        random: Double = 1
    ) async throws -> HTTPResponse {
        let retry = RetryInterceptor(policy: policy, budget: budget, time: time.source, random: { random })
        return try await session.data(for: request, interceptors: [retry])
    }

    private func get() throws -> HTTPRequest { try HTTPRequest(url: "https://example.com/") }

    @Test(arguments: 100...599) func aStatusIsRetriedOrReturned(status: Int) async throws {
        let session = FakeSession(status, 200)
        let response = try await send(try get(), over: session)
        let isRetried = [408, 429, 502, 503, 504].contains(status)
        #expect(response.status.code == (isRetried ? 200 : status))
        #expect(session.requests.count == (isRetried ? 2 : 1))
    }

    @Test func theStatusesAreChosen() async throws {
        var policy = RetryPolicy()
        policy.statuses = [500]
        #expect(try await send(try get(), over: FakeSession(500, 200), policy: policy).status == .ok)
        #expect(
            try await send(try get(), over: FakeSession(503, 200), policy: policy).status
                == .serviceUnavailable
        )
    }

    @Test(arguments: [
        ("GET", true), ("HEAD", true), ("OPTIONS", true), ("TRACE", true), ("PUT", true), ("DELETE", true),
        ("POST", false), ("PATCH", false), ("CONNECT", false), ("get", false), ("LOCK", false),
    ]) func onlyAnIdempotentMethodIsRetriedUnasked(method: String, isIdempotent: Bool) async throws {
        var request = try get()
        request.method = try HTTPMethod(method)
        let unasked = FakeSession(503, 200)
        _ = try await send(request, over: unasked)
        #expect(unasked.requests.count == (isIdempotent ? 2 : 1))

        var policy = RetryPolicy()
        policy.repeatsAllMethods = true
        let asked = FakeSession(503, 200)
        _ = try await send(request, over: asked, policy: policy)
        #expect(asked.requests.count == 2)

        try request.fields.set("7a", for: "idempotency-key")
        let keyed = FakeSession(503, 200)
        _ = try await send(request, over: keyed)
        #expect(keyed.requests.count == 2)
        #expect(keyed.requests.map { $0.fields["Idempotency-Key"] } == ["7a", "7a"])
    }

    @Test(arguments: [true, false]) func aBodyThatCannotBeReplayedIsSentOnce(isReplayable: Bool) async throws
    {
        var request = try get()
        request.method = .put
        request.body = HTTPBody([1], isReplayable: isReplayable)
        let session = FakeSession(503, 200)
        _ = try await send(request, over: session)
        #expect(session.requests.count == (isReplayable ? 2 : 1))
    }

    @Test(arguments: [true, false]) func anErrorSaysWhetherItIsRetried(isRetryable: Bool) async throws {
        let session = FakeSession { _, number in
            if number == 0 { throw FakeError(isRetryable: isRetryable) }
            return HTTPResponse(status: .ok)
        }
        let result = await Result { try await send(try get(), over: session) }
        #expect(session.requests.count == (isRetryable ? 2 : 1))
        if !isRetryable { #expect(throws: FakeError(isRetryable: false)) { try result.get() } }
    }

    @Test func anErrorThatSaysNothingIsNotRetriedUnlessTheClosureSaysSo() async throws {
        struct Plain: Error {}
        let failing = FakeSession { _, _ in throw Plain() }
        await #expect(throws: Plain.self) { try await send(try get(), over: failing) }
        #expect(failing.requests.count == 1)
        var policy = RetryPolicy()
        policy.isRetryable = { $0 is Plain }
        await #expect(throws: Plain.self) { try await send(try get(), over: failing, policy: policy) }
        #expect(failing.requests.count == 4)
    }

    @Test func cancellationIsNeverRetried() async throws {
        var policy = RetryPolicy()
        policy.isRetryable = { _ in true }
        let session = FakeSession { _, _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) {
            try await send(try get(), over: session, policy: policy)
        }
        #expect(session.requests.count == 1)
    }

    @Test(arguments: [(-1, 1), (0, 1), (1, 1), (2, 2), (7, 7)]) func attemptsAreBounded(
        maximum: Int,
        sent: Int
    ) async throws {
        var policy = RetryPolicy()
        policy.maximumAttempts = maximum
        policy.totalLimit = nil
        let session = FakeSession(503)
        let response = try await send(try get(), over: session, policy: policy)
        #expect(response.status == .serviceUnavailable)
        #expect(session.requests.count == sent)
    }

    @Test(arguments: [
        (1.0, [200, 400, 800, 1600, 3200, 5000, 5000]), (0.5, [100, 200, 400, 800, 1600, 2500, 2500]),
        (0.0, [0, 0, 0, 0, 0, 0, 0]),
    ]) func theBackOffDoublesUpToItsCapAndIsJittered(random: Double, milliseconds: [Int]) async throws {
        var policy = RetryPolicy()
        policy.maximumAttempts = milliseconds.count + 1
        policy.maximumDelay = .seconds(5)
        policy.totalLimit = nil
        _ = try await send(try get(), over: FakeSession(503), policy: policy, random: random)
        #expect(time.sleeps == milliseconds.map { .milliseconds($0) })
    }

    @Test func aBaseOverTheCapIsTheCap() async throws {
        var policy = RetryPolicy()
        policy.baseDelay = .seconds(60)
        policy.maximumDelay = .seconds(2)
        _ = try await send(try get(), over: FakeSession(503), policy: policy)
        #expect(time.sleeps == [.seconds(2), .seconds(2)])
    }

    @Test func noRetryStartsAfterTheTotalLimit() async throws {
        var policy = RetryPolicy()
        policy.maximumAttempts = 100
        policy.baseDelay = .seconds(1)
        policy.totalLimit = .seconds(12)
        let session = FakeSession { [time] _, _ in
            time.advance(by: .seconds(3))
            return HTTPResponse(status: .serviceUnavailable)
        }
        // 3 + 1 + 3 + 2 + 3 = 12: the third wait would end after the limit.
        _ = try await send(try get(), over: session, policy: policy)
        #expect(time.sleeps == [.seconds(1), .seconds(2)])
        #expect(session.requests.count == 3)
    }

    @Test func aWaitThatTookTooLongEndsTheRequest() async throws {
        var policy = RetryPolicy()
        policy.totalLimit = .seconds(1)
        let session = FakeSession(503, 200)
        let slow = time.source
        let retry = RetryInterceptor(
            policy: policy,
            time: .init(date: slow.date, uptime: slow.uptime) { [time] _ in time.advance(by: .seconds(5)) }
        )
        let response = try await session.data(for: try get(), interceptors: [retry])
        #expect(response.status == .serviceUnavailable)
        #expect(session.requests.count == 1)
    }

    /// A session refuses a limit that is not positive, and what was refused is not what happened.
    @Test func aTimeoutStaysPositiveWhenNothingIsLeft() async throws {
        var policy = RetryPolicy()
        policy.totalLimit = .zero
        var request = try get()
        request.options.timeout = .seconds(9)
        let session = FakeSession(503)
        _ = try await send(request, over: session, policy: policy)
        #expect(session.requests.map(\.options.timeout) == [.milliseconds(1)])
    }

    @Test func aTimeoutIsShortenedToWhatIsLeft() async throws {
        var policy = RetryPolicy()
        policy.baseDelay = .seconds(2)
        policy.totalLimit = .seconds(10)
        var request = try get()
        request.options.timeout = .seconds(9)
        let session = FakeSession { [time] _, _ in
            time.advance(by: .seconds(1))
            return HTTPResponse(status: .serviceUnavailable)
        }
        _ = try await send(request, over: session, policy: policy)
        #expect(session.requests.map(\.options.timeout) == [.seconds(9), .seconds(7), .seconds(2)])
        request.options.timeout = nil
        let other = FakeSession(503)
        _ = try await send(request, over: other)
        #expect(other.requests.allSatisfy { $0.options.timeout == nil })
    }

    @Test func cancellationEndsTheWait() async throws {
        let asleep = Signal()
        let session = FakeSession(503)
        let retry = RetryInterceptor(time: FakeTime.endless { asleep.open() })
        let request = try get()
        let task = Task { try await session.data(for: request, interceptors: [retry]) }
        await asleep.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(session.requests.count == 1)
    }

    @Test func afterCancellationAnErrorIsNotRetried() async throws {
        let sent = Signal()
        let session = FakeSession { _, _ in
            sent.open()
            while !Task.isCancelled { await Task.yield() }
            throw FakeError()
        }
        let retry = RetryInterceptor(time: time.source)
        let request = try get()
        let task = Task { try await session.data(for: request, interceptors: [retry]) }
        await sent.wait()
        task.cancel()
        await #expect(throws: FakeError.self) { try await task.value }
        #expect(session.requests.count == 1 && time.sleeps.isEmpty)
    }
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
