import AWSSigning
import FoundationEssentials
import HTTPInterceptors
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

    @Test(
        arguments: [true, false],
        [("https://other.example/x", false), ("https://b.example.com:8443/x", false), ("/x", true)]
    ) func aSignatureByHandStaysInItsOrigin(
        signsOtherHosts: Bool,
        hop: (location: String, stays: Bool)
    ) async throws {
        let names: [HTTPField.Name] = [
            "Authorization", "X-Amz-Date", "X-Amz-Content-Sha256", "X-Amz-Security-Token", "X-Amz-Region-Set",
        ]
        var request = try Example.s3Signer().sign(
            HTTPRequest(.put, "https://b.example.com/k", [("X-Amz-Acl", "private")], body: "abc"),
            with: Example.credentials(token: "TOK")
        ).request
        try request.fields.set("*", for: "X-Amz-Region-Set")
        let session = TestSession { _, number in
            guard number == 1 else { return HTTPResponse(status: .ok) }
            return HTTPResponse(
                status: try HTTPStatus(307),
                fields: HTTPFields([try HTTPField(.location, hop.location)])
            )
        }
        // Its hosts are not among these, so it passes requests on.
        let signing = try signsOtherHosts ? [interceptor(hosts: "*.example.org")] : []
        _ = try await InterceptedSession(session, interceptors: [RedirectInterceptor()] + signing)
            .data(for: request)
        let last = try #require(session.requests.last)
        #expect(session.requests.count == 2 && last["X-Amz-Acl"] == "private")
        for name in names where !signsOtherHosts { #expect(last.fields.contains(name) == hop.stays) }
        for name in names where signsOtherHosts { #expect(!last.fields.contains(name)) }
    }

    @Test func aTokenWithoutItsSignatureGoesNoFurther() async throws {
        let session = TestSession { _, _ in HTTPResponse(status: .ok) }
        let request = try HTTPRequest(
            .get,
            "https://other.example/",
            [("X-Amz-Security-Token", "TOK"), ("Authorization", "Bearer x")]
        )
        _ = try await InterceptedSession(session, interceptors: [interceptor()]).data(for: request)
        #expect(session.requests.map { $0.fields.map(\.name) } == [["Authorization"]])
    }
}
