import HTTPInterceptors
import HTTPMessages
import TestSupport
import Testing

@Suite("Token refresh", .timeLimit(.minutes(1))) struct TokenRefreshTests {
    @Test func aRefusedTokenIsRefreshedOnceAndTheRequestSentAgain() async throws {
        let replaced = Recorder<String?>()
        let credential = RefreshableCredential("old") { old in
            replaced.record(old)
            return "new"
        }
        let session = RefreshFixture.server(taking: "new")
        for _ in 0..<3 {
            #expect(
                try await session.data(
                    for: try RefreshFixture.get(),
                    interceptors: [try RefreshFixture.interceptor(credential)]
                ).status
                    == .ok
            )
        }
        #expect(replaced.values == ["old"] && credential.token == "new")
        #expect(
            session.requests.map { $0.fields[.authorization] } == [
                "Bearer old", "Bearer new", "Bearer new", "Bearer new",
            ]
        )
    }

    @Test func withoutATokenThe401AsksForOne() async throws {
        let credential = RefreshableCredential { old in old == nil ? "new" : "wrong" }
        let session = RefreshFixture.server(taking: "new")
        #expect(
            try await session.data(
                for: try RefreshFixture.get(),
                interceptors: [try RefreshFixture.interceptor(credential)]
            ).status == .ok
        )
        #expect(session.requests.map { $0.fields[.authorization] } == [nil, "Bearer new"])
    }

    @Test func aServerThatRefusesAllGetsTwoRequestsAndOneRefresh() async throws {
        let refreshes = Counter()
        let credential = RefreshableCredential("old") { _ in "new\(refreshes.next())" }
        let session = FakeSession(401)
        let response = try await session.data(
            for: try RefreshFixture.get(),
            interceptors: [try RefreshFixture.interceptor(credential)]
        )
        #expect(response.status == .unauthorized && session.requests.count == 2 && refreshes.value == 1)
    }

    @Test(arguments: [200, 204, 302, 400, 403, 407, 500]) func anotherStatusIsReturned(
        status: Int
    ) async throws {
        let credential = RefreshableCredential("old") { _ in throw FakeError() }
        let session = FakeSession(status)
        let response = try await session.data(
            for: try RefreshFixture.get(),
            interceptors: [try RefreshFixture.interceptor(credential)]
        )
        #expect(response.status.code == status && session.requests.count == 1)
    }

    @Test(arguments: ["https://b.example/", "http://a.example/"]) func anotherHostIsLeftAlone(
        url: String
    ) async throws {
        let credential = RefreshableCredential("old") { _ in throw FakeError() }
        let session = FakeSession(401)
        let response = try await session.data(
            for: try HTTPRequest(url: url),
            interceptors: [try RefreshFixture.interceptor(credential)]
        )
        #expect(response.status == .unauthorized && session.requests.count == 1)
        #expect(session.requests.first?.fields.isEmpty == true)
    }

    @Test func aRequestWithCredentialsOfItsOwnIsLeftAlone() async throws {
        let credential = RefreshableCredential("old") { _ in throw FakeError() }
        let session = FakeSession(401)
        var request = try RefreshFixture.get()
        try request.fields.set("Basic eA==", for: .authorization)
        _ = try await session.data(for: request, interceptors: [try RefreshFixture.interceptor(credential)])
        #expect(session.requests == [request])
    }

    @Test(arguments: [true, false]) func theContentIsSentAgainWhenItCanBe(isReplayable: Bool) async throws {
        let credential = RefreshableCredential("old") { _ in "new" }
        let session = RefreshFixture.server(taking: "new")
        var request = try RefreshFixture.get()
        request.method = .post
        request.body = HTTPBody([1], isReplayable: isReplayable)
        let response = try await session.data(
            for: request,
            interceptors: [try RefreshFixture.interceptor(credential)]
        )
        #expect(response.status == (isReplayable ? .ok : .unauthorized))
        #expect(session.requests.count == (isReplayable ? 2 : 1) && credential.token == "new")
    }

    /// Sends many requests, all of which are refused before the refresh may end.
    private func sendMany(
        _ count: Int,
        failure: FakeError?
    ) async throws -> (results: [Result<HTTPResponse, any Error>], refreshes: Int, session: FakeSession) {
        let refreshes = Counter()
        let refused = Counter()
        let credential = RefreshableCredential("old") { _ in
            refreshes.next()
            try await eventually { refused.value >= count }
            if let failure { throw failure }
            return "new"
        }
        let session = FakeSession { request, _ in
            guard request.fields[.authorization] == "Bearer old" else { return HTTPResponse(status: .ok) }
            refused.next()
            return HTTPResponse(status: .unauthorized)
        }
        let interceptor = try RefreshFixture.interceptor(credential)
        let request = try RefreshFixture.get()
        let results = await withTaskGroup(of: Result<HTTPResponse, any Error>.self) { group in
            for _ in 0..<count {
                group.addTask {
                    await Result { try await session.data(for: request, interceptors: [interceptor]) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return (results, refreshes.value, session)
    }

    @Test func aThousandWaitForOneRefresh() async throws {
        let (results, refreshes, session) = try await sendMany(1000, failure: nil)
        #expect(try results.allSatisfy { try $0.get().status == .ok })
        #expect(results.count == 1000 && refreshes == 1 && session.requests.count == 2000)
    }

    @Test func aThousandFailTogether() async throws {
        let failure = FakeError(text: "one for all")
        let (results, refreshes, session) = try await sendMany(1000, failure: failure)
        #expect(results.allSatisfy { $0.failure as? FakeError == failure })
        #expect(results.count == 1000 && refreshes == 1 && session.requests.count == 1000)
    }

    @Test func aRequestAfterAFailedRefreshStartsAnother() async throws {
        let refreshes = Counter()
        let credential = RefreshableCredential("old") { _ in
            if refreshes.next() == 1 { throw FakeError() }
            return "new"
        }
        let session = RefreshFixture.server(taking: "new")
        let interceptor = try RefreshFixture.interceptor(credential)
        await #expect(throws: FakeError.self) {
            try await session.data(for: try RefreshFixture.get(), interceptors: [interceptor])
        }
        #expect(credential.token == "old")
        #expect(
            try await session.data(for: try RefreshFixture.get(), interceptors: [interceptor]).status == .ok
        )
        #expect(refreshes.value == 2)
    }

    /// Sends a request whose 401 comes only after others have had the token refreshed.
    private func sendLate(
        _ refresh: @escaping @Sendable (Int) throws -> String
    ) async throws
        -> (result: Result<HTTPResponse, any Error>, refreshes: Int)
    {
        let refreshes = Counter()
        let credential = RefreshableCredential("old") { _ in try refresh(refreshes.next()) }
        let (sent, answer) = (Signal(), Signal())
        let session = FakeSession { request, number in
            if number == 0 {
                sent.open()
                await answer.wait()
            }
            return HTTPResponse(
                status: request.fields[.authorization] == "Bearer new" ? .ok : .unauthorized
            )
        }
        let interceptor = try RefreshFixture.interceptor(credential)
        let request = try RefreshFixture.get()
        async let late = Result { try await session.data(for: request, interceptors: [interceptor]) }
        await sent.wait()
        _ = await Result { try await session.data(for: request, interceptors: [interceptor]) }
        answer.open()
        return (await late, refreshes.value)
    }

    @Test func aLateRefusalOfTheOldTokenTakesTheNewOne() async throws {
        let (result, refreshes) = try await sendLate { _ in "new" }
        #expect(try result.get().status == .ok && refreshes == 1)
    }

    @Test func aLateRefusalSharesTheFailure() async throws {
        let (result, refreshes) = try await sendLate { number in throw FakeError(text: "\(number)") }
        #expect(result.failure as? FakeError == FakeError(text: "1") && refreshes == 1)
    }
}
