import HTTPInterceptors
import HTTPMessages
import Testing
import Timing

@Suite("The end of a token refresh", .timeLimit(.minutes(1))) struct TokenRefreshEndTests {
    @Test func whatTheRefreshSendsDoesNotLoop() async throws {
        let session = FakeSession { request, _ in
            HTTPResponse(status: request.fields[.authorization] == "Bearer new" ? .ok : .unauthorized)
        }
        let box = Recorder<TokenRefreshInterceptor>()
        // The closure below holds what holds the credential.
        defer { box.removeAll() }
        let credential = RefreshableCredential("old") { _ in
            // The same chain, the same host: it is refused, and that is the end of it.
            let request = try HTTPRequest(method: .post, url: "https://a.example/token")
            let response = try await session.data(for: request, interceptors: box.values)
            let inTask = try await Task { try await session.data(for: request, interceptors: box.values) }
                .value
            #expect(response.status == .unauthorized && inTask.status == .unauthorized)
            throw FakeError(text: "refused")
        }
        box.record(try RefreshFixture.interceptor(credential))
        await #expect(throws: FakeError(text: "refused")) {
            try await session.data(for: try RefreshFixture.get(), interceptors: box.values)
        }
        #expect(session.requests.map { $0.fields[.authorization] } == ["Bearer old", nil, nil])
    }

    @Test func aRefreshThatWaitsForItselfOnADetachedTaskEndsAtTheLimit() async throws {
        let (waiting, ended) = (Signal(), Signal())
        let session = FakeSession { _, number in
            if number == 1 { waiting.open() }
            return HTTPResponse(status: .unauthorized)
        }
        let box = Recorder<TokenRefreshInterceptor>()
        // The closure below holds what holds the credential.
        defer { box.removeAll() }
        let time = FakeTime.endless()
        let credential = RefreshableCredential(
            "old",
            time: .init(date: time.date, uptime: time.uptime) { _ in await waiting.wait() }
        ) { _ in
            let request = try HTTPRequest(url: "https://a.example/token")
            let inner = Task.detached { try await session.data(for: request, interceptors: box.values) }
            let error = await Result { try await inner.value }.failure as? InterceptorError
            #expect(error?.code == .refreshTimedOut)
            ended.open()
            return "too late"
        }
        box.record(try RefreshFixture.interceptor(credential))
        let error = try await #require(throws: InterceptorError.self) {
            try await session.data(for: try RefreshFixture.get(), interceptors: box.values)
        }
        #expect(error.code == .refreshTimedOut)
        await ended.wait()
        #expect(credential.token == "old")
    }

    @Test func aRefreshHasALimitEvenWhenItHeedsNothing() async throws {
        let release = Signal()
        let credential = RefreshableCredential("old", limit: .seconds(5), time: FakeTime().source) { _ in
            await release.wait()
            return "too late"
        }
        let error = try await #require(throws: InterceptorError.self) {
            try await FakeSession(401).data(
                for: try RefreshFixture.get(),
                interceptors: [try RefreshFixture.interceptor(credential)]
            )
        }
        #expect(error.code == .refreshTimedOut && credential.token == "old")
        release.open()
    }

    @Test func aCancelledRefreshIsNotTakenForACancelledRequest() async throws {
        let credential = RefreshableCredential("old") { _ in throw CancellationError() }
        let error = try await #require(throws: InterceptorError.self) {
            try await FakeSession(401).data(
                for: try RefreshFixture.get(),
                interceptors: [try RefreshFixture.interceptor(credential)]
            )
        }
        #expect(error.code == .refreshCancelled)
    }

    @Test(arguments: ["", "s3cret x", "s3cret\n"]) func aRefreshThatBringsNoTokenFails(
        token: String
    ) async throws {
        let credential = RefreshableCredential("old") { _ in token }
        let error = try await #require(throws: InterceptorError.self) {
            try await FakeSession(401).data(
                for: try RefreshFixture.get(),
                interceptors: [try RefreshFixture.interceptor(credential)]
            )
        }
        #expect(
            error.code == .invalidCredential && !"\(error)".contains("s3cret") && credential.token == "old"
        )
    }

    @Test func aCancelledRequestLeavesTheOthersWaiting() async throws {
        let (started, release) = (Signal(), Signal())
        let credential = RefreshableCredential("old") { _ in
            started.open()
            await release.wait()
            try Task.checkCancellation()
            return "new"
        }
        let session = RefreshFixture.server(taking: "new")
        let interceptor = try RefreshFixture.interceptor(credential)
        let request = try RefreshFixture.get()
        let first = Task { try await session.data(for: request, interceptors: [interceptor]) }
        await started.wait()
        let second = Task { try await session.data(for: request, interceptors: [interceptor]) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        release.open()
        #expect(try await second.value.status == .ok)
    }

    @Test func manyCancelledRequestsAllEnd() async throws {
        let release = Signal()
        let credential = RefreshableCredential("old") { _ in
            await release.wait()
            return "new"
        }
        let session = RefreshFixture.server(taking: "new")
        let interceptor = try RefreshFixture.interceptor(credential)
        let request = try RefreshFixture.get()
        let tasks = (0..<200).map { _ in
            Task { try await session.data(for: request, interceptors: [interceptor]) }
        }
        for task in tasks { task.cancel() }
        for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
        release.open()
    }

    @Test func aReplacementEndsTheWaitAndOutlivesTheRefresh() async throws {
        let (started, release) = (Signal(), Signal())
        let credential = RefreshableCredential("old") { _ in
            started.open()
            await release.wait()
            return "refreshed"
        }
        let session = RefreshFixture.server(taking: "signed-in")
        let interceptor = try RefreshFixture.interceptor(credential)
        let request = try RefreshFixture.get()
        let task = Task { try await session.data(for: request, interceptors: [interceptor]) }
        await started.wait()
        credential.replace(with: "signed-in")
        #expect(try await task.value.status == .ok)
        release.open()
        for _ in 0..<100 { await Task.yield() }
        #expect(credential.token == "signed-in")
    }

    @Test func afterASignOutThe401IsReturned() async throws {
        let (started, release) = (Signal(), Signal())
        let credential = RefreshableCredential("old") { _ in
            started.open()
            await release.wait()
            return "refreshed"
        }
        let session = RefreshFixture.server(taking: "other")
        let interceptor = try RefreshFixture.interceptor(credential)
        let request = try RefreshFixture.get()
        let task = Task { try await session.data(for: request, interceptors: [interceptor]) }
        await started.wait()
        credential.replace(with: nil)
        #expect(try await task.value.status == .unauthorized)
        release.open()
        #expect(session.requests.count == 1 && credential.token == nil)
    }
}
