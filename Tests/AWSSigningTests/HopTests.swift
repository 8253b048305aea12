import AWSSigning
import FoundationEssentials
import HTTPMessages
import Testing

@Suite("A request that comes again") struct HopTests {
    private func interceptor(
        _ content: SigV4Interceptor.Content = .signed,
        hosts: String = "*.example.com"
    ) throws -> SigV4Interceptor {
        try SigV4Interceptor(
            Example.s3Signer(),
            credentials: StaticCredentialsProvider(Example.credentials(token: "TOK")),
            hosts: [HostPattern(hosts)],
            content: content
        )
    }

    /// An hour ahead of the example's date.
    private static func tooSkewed() throws -> HTTPResponse {
        HTTPResponse(
            status: .forbidden,
            fields: HTTPFields([try HTTPField(.date, "Fri, 24 May 2013 01:00:00 GMT")]),
            body: Array("<Error><Code>RequestTimeTooSkewed</Code></Error>".utf8)
        )
    }

    static let bodies: [(HTTPBody, SigV4Interceptor.Content)] = [
        (HTTPBody(HTTPBodyStream(AsyncStream<[UInt8]> { $0.finish() })), .unsigned),
        (HTTPBody([1], isReplayable: false), .signed),
        (HTTPBody([1], isReplayable: false), .chunks(size: 8_192)),
    ]

    @Test(arguments: bodies.indices) func whatMustNotLeaveTwiceGetsTheRefusal(index: Int) async throws {
        let (body, content) = Self.bodies[index]
        let session = TestSession { _, _ in try Self.tooSkewed() }
        let signing = try InterceptedSession(session, interceptors: [interceptor(content)])
        let request = try HTTPRequest(method: .put, url: "https://b.example.com/k", body: body)
        #expect(try await signing.data(for: request).status == .forbidden)
        #expect(session.requests.count == 1)
        // The clock is known from then on.
        _ = try await signing.data(from: "https://b.example.com/k")
        #expect(session.requests.map { $0["X-Amz-Date"] } == ["20130524T000000Z", "20130524T010000Z"])
    }
}
