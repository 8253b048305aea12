import AWSSigning
import FoundationEssentials
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import Testing

@Suite("Interceptor") struct InterceptorTests {
    static let skewed =
        #"<?xml version="1.0" encoding="UTF-8"?><Error><Code>RequestTimeTooSkewed</Code></Error>"#

    func interceptor(
        _ profile: ServiceProfile? = nil,
        credentials: (any AWSCredentialsProvider)? = nil,
        hosts: [String] = ["*.example.com", "127.0.0.1"],
        content: SigV4Interceptor.Content = .signed,
        maximumSkew: Duration = .seconds(86_400),
        clock: TestClock = TestClock()
    ) throws -> SigV4Interceptor {
        try SigV4Interceptor(
            RequestSigner(try profile ?? .s3(region: "us-east-1"), time: clock.source),
            credentials: try credentials ?? StaticCredentialsProvider(Example.credentials(token: "TOK")),
            hosts: try hosts.map { try HostPattern($0) },
            content: content,
            maximumSkew: maximumSkew
        )
    }

    static func refusal(
        _ body: String = skewed,
        date: String? = "Fri, 24 May 2013 01:00:00 GMT",
        status: HTTPStatus = .forbidden,
        fields: [(String, String)] = []
    ) throws -> HTTPResponse {
        var response = HTTPResponse(status: status, body: Array(body.utf8))
        if let date { try response.fields.append(date, for: .date) }
        for (name, value) in fields { try response.fields.append(value, for: HTTPField.Name(name)) }
        return response
    }

    @Test func signsWhatIsSent() async throws {
        let session = TestSession { _, _ in HTTPResponse(status: .ok) }
        let request = try HTTPRequest(
            .put,
            "https://b.example.com/a//b/../c",
            [("x-amz-acl", "private")],
            body: "abc"
        )
        _ = try await InterceptedSession(session, interceptors: [interceptor()]).data(for: request)
        let expected = try Example.s3Signer().sign(request, with: Example.credentials(token: "TOK"))
        #expect(session.requests == [expected.request])
        #expect(session.requests[0].body == request.body)
    }

    @Test(arguments: [
        "https://example.com/", "https://a.b.example.com/", "https://example.org/",
        "https://b.example.com.evil.org/",
    ])
    func otherHostsGetNothing(url: String) async throws {
        let session = TestSession { _, _ in HTTPResponse(status: .ok) }
        let signed = try Example.s3Signer().sign(
            HTTPRequest(.get, "https://b.example.com/"),
            with: Example.credentials(token: "TOK")
        )
        var hop = signed.request
        hop.target = try RequestTarget(url)
        try hop.fields.append("private", for: "x-amz-acl")
        _ = try await InterceptedSession(session, interceptors: [interceptor()]).data(for: hop)
        #expect(session.requests[0].fields.map(\.name) == ["x-amz-acl"])
        var other = try HTTPRequest(.get, url, [("Authorization", "Bearer x"), ("x-amz-date", "mine")])
        other.body = HTTPBody("a")
        _ = try await InterceptedSession(session, interceptors: [interceptor()]).data(for: other)
        #expect(session.requests[1] == other)
    }

    /// A retry and a redirect stand outside and send again what they were given, or what they got back.
    @Test func everyHopIsSignedAnew() async throws {
        struct Repeating: HTTPInterceptor {
            let clock: TestClock
            func intercept(
                _ request: HTTPRequest,
                next: @Sendable (HTTPRequest) async throws -> HTTPResponse
            ) async throws -> HTTPResponse {
                _ = try await next(request)
                clock.advance(by: 60)
                var hop = request
                hop.target = try RequestTarget("https://c.example.com/other")
                return try await next(hop)
            }
        }
        let clock = TestClock()
        let session = TestSession { _, _ in HTTPResponse(status: .ok) }
        let request = try HTTPRequest(.get, "https://b.example.com/k")
        _ = try await InterceptedSession(
            session,
            interceptors: [Repeating(clock: clock), interceptor(clock: clock)]
        ).data(for: request)
        #expect(session.requests.map { $0["X-Amz-Date"] } == ["20130524T000000Z", "20130524T000100Z"])
        #expect(session.requests.map(\.target.host) == ["b.example.com", "c.example.com"])
        #expect(session.requests[0][.authorization] != session.requests[1][.authorization])
        #expect(session.requests[1].fields[values: .authorization].count == 1)
    }

    @Test func nothingIsSentWithoutASignature() async throws {
        let session = TestSession { _, _ in HTTPResponse(status: .ok) }
        let chain = ChainedCredentialsProvider([])
        let error = await #expect(throws: AWSSigningError.self) {
            try await InterceptedSession(session, interceptors: [interceptor(credentials: chain)]).data(
                from: "https://b.example.com/"
            )
        }
        #expect(error?.code == .noCredentials)
        let bearer = try HTTPRequest(.get, "https://b.example.com/", [("Authorization", "Bearer x")])
        let conflict = await #expect(throws: AWSSigningError.self) {
            try await InterceptedSession(session, interceptors: [interceptor()]).data(for: bearer)
        }
        #expect(conflict?.code == .conflictingField)
        #expect(session.requests.isEmpty)
    }

    struct Skew: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var body = skewed
        var date: String? = "Fri, 24 May 2013 01:00:00 GMT"
        var status = HTTPStatus.forbidden
        var fields: [(String, String)] = []
        var url = "https://b.example.com/k"
    }

    @Test(arguments: [
        Skew(testDescription: "S3"),
        Skew(testDescription: "S3, slow", date: "Thu, 23 May 2013 23:00:00 GMT"),
        Skew(testDescription: "the future", body: "<Error><Code>RequestInTheFuture</Code></Error>"),
        Skew(
            testDescription: "the query protocol",
            body:
                "<ErrorResponse xmlns=\"a\"><Error><Type>Sender</Type><Code>RequestExpired</Code></Error></ErrorResponse>",
            status: .badRequest
        ),
        Skew(testDescription: "a signature", body: "<Error><Code>SignatureDoesNotMatch</Code></Error>"),
        Skew(
            testDescription: "the JSON protocol",
            body:
                #"{"__type":"com.amazon.coral.service#InvalidSignatureException","message":"Signature expired"}"#,
            status: .badRequest
        ),
        Skew(
            testDescription: "a field",
            body: "",
            fields: [("x-amzn-ErrorType", "InvalidSignatureException:http://internal.amazon.com/")]
        ),
        Skew(testDescription: "without TLS on this machine", url: "http://127.0.0.1:9/k"),
    ])
    func skewIsCorrectedOnce(skew: Skew) async throws {
        let session = TestSession { _, _ in
            try Self.refusal(skew.body, date: skew.date, status: skew.status, fields: skew.fields)
        }
        let signing = try InterceptedSession(session, interceptors: [interceptor()])
        let response = try await signing.data(from: skew.url)
        #expect(response.status == skew.status)
        let wanted = skew.date?.contains("23:00") == true ? "20130523T230000Z" : "20130524T010000Z"
        #expect(session.requests.map { $0["X-Amz-Date"] } == ["20130524T000000Z", wanted])
        // What was learnt serves the next request, and the same refusal of that is no news.
        _ = try await signing.data(from: skew.url)
        #expect(session.requests.map { $0["X-Amz-Date"] }.dropFirst(2) == [wanted])
    }

    @Test(arguments: [
        Skew(testDescription: "success with a date", body: skewed, status: .ok),
        Skew(testDescription: "another refusal", body: "<Error><Code>AccessDenied</Code></Error>"),
        Skew(testDescription: "no code", body: ""),
        Skew(testDescription: "no date", date: nil),
        Skew(testDescription: "two dates", fields: [("Date", "Fri, 24 May 2013 02:00:00 GMT")]),
        Skew(testDescription: "a date in another form", date: "Friday, 24-May-13 01:00:00 GMT"),
        Skew(testDescription: "a date that is none", date: "Fri, 31 Feb 2013 01:00:00 GMT"),
        Skew(testDescription: "less than services allow", date: "Fri, 24 May 2013 00:03:59 GMT"),
        Skew(testDescription: "more than the limit", date: "Sat, 25 May 2013 00:00:01 GMT"),
        Skew(testDescription: "years away", date: "Fri, 24 May 2023 00:00:00 GMT"),
        Skew(testDescription: "without TLS", url: "http://b.example.com/k"),
        Skew(testDescription: "malformed XML", body: "<Error><Code>RequestTimeTooSkewed</Error>"),
        Skew(testDescription: "malformed JSON", body: #"{"__type":"RequestExpired""#),
    ])
    func aDateAloneIsNotBelieved(skew: Skew) async throws {
        let session = TestSession { _, _ in
            try Self.refusal(skew.body, date: skew.date, status: skew.status, fields: skew.fields)
        }
        let signing = try InterceptedSession(session, interceptors: [interceptor()])
        _ = try await signing.data(from: skew.url)
        _ = try await signing.data(from: skew.url)
        #expect(session.requests.map { $0["X-Amz-Date"] } == ["20130524T000000Z", "20130524T000000Z"])
    }

    @Test func skewCanBeLeftAlone() async throws {
        let session = TestSession { _, _ in try Self.refusal() }
        let signing = try InterceptedSession(session, interceptors: [interceptor(maximumSkew: .zero)])
        _ = try await signing.data(from: "https://b.example.com/")
        #expect(session.requests.count == 1)
    }

    @Test func theClockOfOneHostIsNotThatOfAnother() async throws {
        let session = TestSession { request, _ in
            request.target.host == "a.example.com" ? try Self.refusal() : HTTPResponse(status: .ok)
        }
        let signing = try InterceptedSession(session, interceptors: [interceptor()])
        _ = try await signing.data(from: "https://a.example.com/")
        _ = try await signing.data(from: "https://b.example.com/")
        #expect(session.requests.last?["X-Amz-Date"] == "20130524T000000Z")
    }

    /// Another request may have corrected the clock while this one was under way; its own refusal still counts.
    @Test func everyRequestThatWasUnderWayIsSentAgain() async throws {
        let gate = Gate(count: 8)
        let session = TestSession { request, _ in
            guard request["X-Amz-Date"] == "20130524T000000Z" else { return HTTPResponse(status: .ok) }
            await gate.wait()
            return try Self.refusal()
        }
        let signing = try InterceptedSession(session, interceptors: [interceptor()])
        let statuses = try await withThrowingTaskGroup(of: HTTPStatus.self) { group in
            for _ in 0..<8 { group.addTask { try await signing.data(from: "https://b.example.com/").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: .ok, count: 8))
        #expect(session.requests.count == 16)
    }

    @Test func unsignedContentNeedsTLS() async throws {
        let session = TestSession { _, _ in HTTPResponse(status: .ok) }
        let signing = try InterceptedSession(session, interceptors: [interceptor(content: .unsigned)])
        _ = try await signing.data(from: "https://b.example.com/")
        #expect(session.requests[0]["x-amz-content-sha256"] == "UNSIGNED-PAYLOAD")
        let error = await #expect(throws: AWSSigningError.self) {
            try await signing.data(from: "http://b.example.com/")
        }
        #expect(error?.code == .unsupportedPayload)
        #expect(session.requests.count == 1)
    }

    /// A server signs what came over the wire once more, with the same key: nothing on the way has changed it.
    @Test(arguments: [
        "/bucket/a//b/../c%20d", "/bucket//", "/bucket/a%2Bb~c%2A?versionId=1&acl",
        "/bucket/%E1%88%B4?b=2&a=1",
    ])
    func overTheWire(path: String) async throws {
        let credentials = try Example.credentials()
        let signer = try Example.s3Signer()
        let server = try HTTPServer { served in
            var request = served.request
            // The transport's own, which is not signed.
            request.fields.removeAll(.contentLength)
            let again = try? signer.sign(request, with: credentials)
            let isSame = again?.request.fields[.authorization] == served.fields[.authorization]
            return HTTPResponse(status: isSame ? .ok : .forbidden)
        }
        defer { server.stop() }
        let session = try CurlSession()
        let signing = try InterceptedSession(
            session,
            interceptors: [interceptor(credentials: StaticCredentialsProvider(credentials))]
        )
        for body in [nil, "", "some content"] as [String?] {
            let request = try HTTPRequest(
                body == nil ? .get : .put,
                server.url + path,
                [("x-amz-meta-a", "b  c"), ("User-Agent", "test"), ("Accept-Encoding", "identity")],
                body: body
            )
            #expect(try await signing.data(for: request).status == .ok)
        }
    }
}

/// Lets callers go on once so many of them wait.
actor Gate {
    private let count: Int
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(count: Int) { self.count = count }

    func wait() async {
        guard !isOpen else { return }
        await withCheckedContinuation { continuation in
            waiters.append(continuation)
            if waiters.count >= count {
                isOpen = true
                for waiter in waiters { waiter.resume() }
                waiters = []
            }
        }
    }
}
