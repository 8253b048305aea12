import AWSSigning
import FoundationEssentials
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import TestSupport
import Testing

@Suite("Interceptor") struct InterceptorTests {
    private static let skewed =
        #"<?xml version="1.0" encoding="UTF-8"?><Error><Code>RequestTimeTooSkewed</Code></Error>"#

    private func interceptor(
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

    private static func refusal(
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

    /// Content in pieces, with trailers at its end.
    private final class Pieces: HTTPByteStream.Source {
        private let left: Mutex<[[UInt8]]>

        init(_ pieces: [[UInt8]]) { left = Mutex(pieces) }

        func next() async throws -> [UInt8]? { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

        var trailers: HTTPFields {
            left.withLock {
                $0.isEmpty ? HTTPFields([try? HTTPField("X-End", "1")].compactMap { $0 }) : .init()
            }
        }
    }

    private static func streamed(_ body: String) throws -> HTTPResponse {
        var response = try refusal("")
        let octets = Array(body.utf8)
        let pieces = stride(from: 0, to: octets.count, by: 7).map {
            Array(octets[$0..<min($0 + 7, octets.count)])
        }
        response.stream = HTTPByteStream(Pieces(pieces))
        return response
    }

    @Test func aRefusalThatComesAsAStreamIsRead() async throws {
        let session = TestSession { _, _ in try Self.streamed(Self.skewed) }
        let signing = try InterceptedSession(session, interceptors: [interceptor()])
        let response = try await signing.data(from: "https://b.example.com/")
        #expect(session.requests.map { $0["X-Amz-Date"] } == ["20130524T000000Z", "20130524T010000Z"])
        #expect(try await response.stream?.collect(upTo: 1_000) == Array(Self.skewed.utf8))
    }

    @Test(arguments: [
        "<Error><Code>AccessDenied</Code></Error>", "",
        skewed + String(repeating: " ", count: 70_000),
    ])
    func whatWasReadOfAStreamIsGivenAgain(body: String) async throws {
        let session = TestSession { _, _ in try Self.streamed(body) }
        let signing = try InterceptedSession(session, interceptors: [interceptor()])
        let stream = try #require(try await signing.data(from: "https://b.example.com/").stream)
        #expect(session.requests.count == 1)
        #expect(try await stream.collect(upTo: 100_000) == Array(body.utf8))
        #expect(stream.trailers.contains("X-End"))
    }

    /// A refusal of HEAD has no content that could say why.
    @Test(arguments: [HTTPStatus.ok, .notFound, .forbidden])
    func theDateOfARefusedHeadIsTried(second: HTTPStatus) async throws {
        let session = TestSession { request, _ in
            guard request["X-Amz-Date"] == "20130524T010000Z" else { return try Self.refusal("") }
            return try Self.refusal("", status: second)
        }
        let signing = try InterceptedSession(session, interceptors: [interceptor()])
        let head = try HTTPRequest(.head, "https://b.example.com/k")
        #expect(try await signing.data(for: head).status == second)
        #expect(session.requests.map { $0["X-Amz-Date"] } == ["20130524T000000Z", "20130524T010000Z"])
        // It is kept when the service took it.
        _ = try await signing.data(from: "https://b.example.com/k")
        let next = second == .forbidden ? "20130524T000000Z" : "20130524T010000Z"
        #expect(session.requests.count == 3 && session.requests.last?["X-Amz-Date"] == next)
    }

    @Test(arguments: ["Thu, 23 May 2013 23:57:00 GMT", "Sun, 26 May 2013 00:00:00 GMT"])
    func aHeadIsRefusedForAnotherReason(date: String) async throws {
        let session = TestSession { _, _ in try Self.refusal("", date: date) }
        let signing = try InterceptedSession(session, interceptors: [interceptor()])
        _ = try await signing.data(for: HTTPRequest(.head, "https://b.example.com/k"))
        #expect(session.requests.count == 1)
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

    @Test func chunksAreMadeOfTheBody() async throws {
        let session = TestSession { _, _ in HTTPResponse(status: .ok) }
        let body = String(repeating: "a", count: 20_000)
        let request = try HTTPRequest(
            .put,
            "https://b.example.com/k",
            [("Content-Length", "20000")],
            body: body
        )
        let signing = try InterceptedSession(
            session,
            interceptors: [interceptor(content: .chunks(size: 8_192))]
        )
        _ = try await signing.data(for: request)
        let sent = session.requests[0]
        let wire = try #require(sent.body?.bytes)
        #expect(sent[.contentLength] == String(wire.count))
        #expect(sent["x-amz-content-sha256"] == "STREAMING-AWS4-HMAC-SHA256-PAYLOAD")
        #expect(wire.starts(with: "2000;chunk-signature=".utf8))
        #expect(
            String(decoding: wire, as: UTF8.self).components(separatedBy: "chunk-signature=").count == 5
        )
        _ = try await signing.data(for: HTTPRequest(.get, "https://b.example.com/k"))
        #expect(session.requests[1]["x-amz-content-sha256"]?.hasPrefix("e3b0c442") == true)
    }

    private static func pieces(_ content: [UInt8], of size: Int, count: Int?) -> HTTPBody {
        let (stream, producer) = AsyncStream.makeStream(of: [UInt8].self)
        for start in stride(from: 0, to: content.count, by: size) {
            producer.yield(Array(content[start..<min(start + size, content.count)]))
        }
        producer.finish()
        return HTTPBody(HTTPBodyStream(stream, count: count))
    }

    /// The octets on the wire are those of the same content in memory, whose signature a server computes alike.
    @Test(arguments: [0, 1, 8_191, 8_192, 8_193, 100_000])
    func chunksOfFilesAndStreamsOverTheWire(length: Int) async throws {
        let received = Mutex<[HTTPRequest]>([])
        let server = try HTTPServer { served in
            received.withLock { $0.append(served.request) }
            return HTTPResponse(status: .ok)
        }
        defer { server.stop() }
        let signing = try InterceptedSession(
            CurlSession(),
            interceptors: [interceptor(content: .chunks(size: 8_192))]
        )
        let content = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let folder = try TemporaryFolder()
        let path = try folder.write("content", content)
        let bodies =
            [HTTPBody(content), HTTPBody(file: path)]
            + [1_000, 8_192, 50_000].map { Self.pieces(content, of: $0, count: length) }
        for body in bodies {
            let request = try HTTPRequest(method: .put, url: server.url + "/k", body: body)
            #expect(try await signing.data(for: request).status == .ok)
        }
        let all = received.withLock { $0 }
        #expect(all.count == 5)
        for request in all.dropFirst() {
            #expect(request.body == all[0].body)
            for name in ["Authorization", "Content-Length", "x-amz-decoded-content-length"]
                as [HTTPField.Name]
            {
                #expect(request[name] == all[0][name], "\(name)")
            }
        }
        #expect(all[0]["x-amz-decoded-content-length"] == (length == 0 ? nil : String(length)))
    }

    @Test func whatCannotGoOutInChunksIsNotSent() async throws {
        let session = TestSession { request, _ in
            guard case .stream(let stream) = request.body?.content else { return HTTPResponse(status: .ok) }
            _ = try await stream.collect(upTo: 100_000)
            return HTTPResponse(status: .ok)
        }
        let signing = try InterceptedSession(
            session,
            interceptors: [interceptor(content: .chunks(size: 8_192))]
        )
        let folder = try TemporaryFolder()
        for (body, code) in [
            (Self.pieces([1, 2], of: 1, count: nil), AWSSigningError.Code.unsupportedPayload),
            (HTTPBody(file: folder.path + "/absent"), .unsupportedPayload),
            (HTTPBody(file: folder.path), .unsupportedPayload),
            (HTTPBody(file: "/dev/null\u{0}"), .unsupportedPayload),
            // Found out while it is sent.
            (Self.pieces([1, 2], of: 1, count: 3), .chunkMismatch),
            (Self.pieces([1, 2], of: 1, count: 1), .chunkMismatch),
        ] {
            let request = try HTTPRequest(method: .put, url: "https://b.example.com/k", body: body)
            let error = await #expect(throws: AWSSigningError.self) { try await signing.data(for: request) }
            #expect(error?.code == code)
        }
        #expect(session.requests.count == 2)
    }

    /// A file can be read again, so a refusal for the time is answered with a new signature.
    @Test func aFileInChunksIsSentAgain() async throws {
        let sent = Mutex<[[UInt8]?]>([])
        let session = TestSession { request, count in
            guard case .stream(let stream) = request.body?.content else { return HTTPResponse(status: .ok) }
            let octets = try await stream.collect(upTo: 100_000)
            sent.withLock { $0.append(octets) }
            return count == 1 ? try Self.refusal() : HTTPResponse(status: .ok)
        }
        let signing = try InterceptedSession(
            session,
            interceptors: [interceptor(content: .chunks(size: 8_192))]
        )
        let folder = try TemporaryFolder()
        let path = try folder.write("content", [UInt8](repeating: 7, count: 10_000))
        let request = try HTTPRequest(
            method: .put,
            url: "https://b.example.com/k",
            body: HTTPBody(file: path)
        )
        #expect(try await signing.data(for: request).status == .ok)
        let octets = sent.withLock { $0 }
        #expect(octets.count == 2 && octets[0] != nil && octets[0] != octets[1])
        #expect(octets[0]?.count == octets[1]?.count)
    }

    @Test(arguments: [8_191, 0, -1]) func chunksThatAreTooSmall(size: Int) throws {
        let error = #expect(throws: AWSSigningError.self) { try interceptor(content: .chunks(size: size)) }
        #expect(error?.code == .unsupportedPayload)
    }

    @Test func chunksForR2() throws {
        let error = #expect(throws: AWSSigningError.self) {
            try interceptor(.r2, content: .chunks(size: 8_192))
        }
        #expect(error?.code == .unsupportedPayload)
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
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(count: Int) { self.count = count }

    func wait() async {
        await withCheckedContinuation { continuation in
            waiters.append(continuation)
            if waiters.count >= count {
                for waiter in waiters { waiter.resume() }
                waiters = []
            }
        }
    }
}
