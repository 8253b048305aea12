import AWSSigning
import FoundationEssentials
import HTTPMessages
import Testing

/// Credentials that end while this machine's clock is not the service's.
extension InterceptorTests {
    private static func accessKey(_ request: HTTPRequest?) -> Substring? {
        request?.fields[.authorization]?.split(separator: "Credential=").last?.prefix { $0 != "/" }
    }

    /// The clock is an hour slow, so that the cache would give credentials for an hour too long.
    @Test func aSlowClockGivesNoCredentialsThatHaveEnded() async throws {
        let clock = TestClock()
        // Good for an hour by the service's clock.
        let source = CacheTests.Source(clock, life: 7_200)
        let session = TestSession { request, _ in
            request["X-Amz-Date"] == "20130524T000000Z"
                ? try Self.refusal() : try Self.refusal("", status: .ok)
        }
        let cache = CachedCredentialsProvider(source, time: clock.source)
        let signing = InterceptedSession(
            session,
            interceptors: [try interceptor(credentials: cache, clock: clock)]
        )
        #expect(try await signing.data(from: "https://b.example.com/").status == .ok)
        #expect(source.calls == 1)
        clock.advance(by: 3_700)
        #expect(try await signing.data(from: "https://b.example.com/").status == .ok)
        #expect(session.requests.last?["X-Amz-Date"] == "20130524T020140Z")
        #expect(Self.accessKey(session.requests.last) == "KEY2" && source.calls == 2)
    }

    /// The clock is two hours fast, so that credentials of one hour seem to have ended when they come.
    @Test func aFastClockRefusesNoNewCredentials() async throws {
        let clock = TestClock()
        let source = CacheTests.Source(clock, life: -3_600)
        let session = TestSession { request, _ in
            request["X-Amz-Date"] == "20130524T000000Z"
                ? try Self.refusal(date: "Thu, 23 May 2013 22:00:00 GMT") : try Self.refusal("", status: .ok)
        }
        let cache = CachedCredentialsProvider(source, time: clock.source)
        let signing = InterceptedSession(
            session,
            interceptors: [try interceptor(credentials: cache, clock: clock)]
        )
        for count in [2, 3] {
            #expect(try await signing.data(from: "https://b.example.com/").status == .ok)
            #expect(session.requests.count == count)
            #expect(session.requests.last?["X-Amz-Date"] == "20130523T220000Z")
        }
        #expect(source.calls == 1)
    }

    /// A session that signs with credentials that end so many seconds from the start.
    private func signing(
        _ session: TestSession,
        life: Double,
        clock: TestClock,
        maximumSkew: Duration = .seconds(86_400)
    ) throws -> InterceptedSession {
        let fixed = StaticCredentialsProvider(
            try Example.credentials(expiration: Example.date.addingTimeInterval(life))
        )
        return InterceptedSession(
            session,
            interceptors: [try interceptor(credentials: fixed, maximumSkew: maximumSkew, clock: clock)]
        )
    }

    /// Sends a request, and another a minute later, which the end of the credentials stops.
    private func expectTheirEnd(_ signing: InterceptedSession, _ clock: TestClock) async throws {
        #expect(try await signing.data(from: "https://b.example.com/").status == .ok)
        clock.advance(by: 60)
        let error = await #expect(throws: AWSSigningError.self) {
            try await signing.data(from: "https://b.example.com/")
        }
        #expect(error?.code == .credentialsExpired)
    }

    /// No clock that would be believed makes these good.
    @Test(arguments: [(Duration.zero, 0.0), (.seconds(60), -60.0), (.seconds(86_400), -86_400.0)])
    func whatNoClockExcusesIsNotSent(maximumSkew: Duration, life: Double) async throws {
        let clock = TestClock()
        let session = TestSession { _, _ in try Self.refusal() }
        let signing = try signing(session, life: life, clock: clock, maximumSkew: maximumSkew)
        let error = await #expect(throws: AWSSigningError.self) {
            try await signing.data(from: "https://b.example.com/")
        }
        #expect(error?.code == .credentialsExpired && session.requests.isEmpty)
    }

    /// A service that took this machine's date has the same one.
    @Test func anAgreementExcusesNothingEither() async throws {
        let clock = TestClock()
        let session = TestSession { _, _ in try Self.refusal("", status: .ok) }
        let signing = try signing(session, life: 60, clock: clock)
        try await expectTheirEnd(signing, clock)
        #expect(session.requests.count == 1)
    }

    /// Once the service's clock is known, it decides.
    @Test func aKnownClockExcusesNothing() async throws {
        let clock = TestClock()
        let session = TestSession { request, _ in
            request["X-Amz-Date"] == "20130524T000000Z"
                ? try Self.refusal() : try Self.refusal("", status: .ok)
        }
        let signing = try signing(session, life: 3_660, clock: clock)
        try await expectTheirEnd(signing, clock)
        #expect(session.requests.count == 2)
    }
}
