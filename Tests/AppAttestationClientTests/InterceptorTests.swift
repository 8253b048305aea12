import AppAttestation
import AppAttestationClient
import Cryptography
import Encodings
import FoundationEssentials
import Glibc
import HTTPMessages
import Locking
import ProtectionTesting
import TestSupport
import Testing

@Suite("The interceptors", .timeLimit(.minutes(2))) struct InterceptorTests {
    static let endpoint = "https://api.example/installations/attest"

    private func endpoints() throws -> [RequestTarget] {
        [try RequestTarget(Self.endpoint + "-init"), try RequestTarget(Self.endpoint)]
    }

    private func hosts() throws -> [HostPattern] { [try HostPattern("api.example")] }

    @Test func nothingLeavesBeforeAttestation() async throws {
        let fixture = try Fixture()
        let gate = TestGate()
        let backend = TestBackend(fixture.authority, endpoints: try endpoints()) { step, _ in
            if step == .challenge { await gate.pass() }
        }
        let service = fixture.service(backend: backend)
        let base = RecordingSession()
        let session = InterceptedSession(
            base,
            interceptors: [
                AttestationGateInterceptor(service: service),
                AssertionInterceptor(service: service, hosts: try hosts()),
            ]
        )
        #expect(await code { _ = try await session.data(from: "https://api.example/") } == .notStarted)
        service.start()
        async let waiting = session.data(from: "https://api.example/")
        // The two of the attestation pass by, unsigned.
        for target in try endpoints() {
            let response = try await session.data(for: HTTPRequest(method: .post, target: target))
            #expect(response.status == .ok)
        }
        #expect(base.requests.count == 2)
        #expect(base.requests.allSatisfy { $0.fields.isEmpty })
        gate.open()
        _ = try await waiting
        #expect(base.requests.count == 3 && base.requests[2].fields.contains("X-Signature"))
    }

    @Test(
        arguments: [
            ("GET", endpoint), ("POST", endpoint + "?x=1"), ("POST", endpoint + "/"),
            ("POST", endpoint + "-init/x"), ("POST", "https://api.example/x/installations/attest"),
            ("POST", "https://api.example/?/installations/attest"),
            ("POST", "https://api.example:444/installations/attest"),
            ("POST", "http://api.example/installations/attest"),
            ("POST", "https://other.example/installations/attest"),
            ("POST", "https://api.example/Installations/attest"),
            ("POST", "https://api.example//installations/attest"),
            ("POST", "https://api.example/installations/%61ttest"),
        ]
    )
    func theGateIsNoWiderThanItsEndpoints(method: String, url: String) async throws {
        let fixture = try Fixture()
        let service = fixture.service(
            backend: TestBackend(fixture.authority, endpoints: try endpoints()) { _, _ in
                throw AttestationClientError(.refused, "no")
            }
        )
        service.start()
        let base = RecordingSession()
        let session = InterceptedSession(
            base,
            interceptors: [AttestationGateInterceptor(service: service)]
        )
        let request = try HTTPRequest(method: HTTPMethod(method), url: url)
        #expect(await code { _ = try await session.data(for: request) } == .refused)
        #expect(base.requests.isEmpty)
    }

    /// A request as the backend would check it.
    private func check(
        _ request: HTTPRequest,
        _ authority: TestAuthority,
        fields: AssertionFields = AssertionFields()
    ) async throws -> UInt32 {
        let timestamp = try #require(request.fields[fields.timestamp])
        let line = "\(request.method)|\(request.target.originForm)|\(timestamp)|"
        return try await authority.verify(
            Base64.standard.decode(try #require(request.fields[fields.signature])),
            clientDataHash: HashAlgorithm.sha256.hash(Array(line.utf8) + (request.body?.bytes ?? [])),
            keyID: try #require(request.fields[fields.keyID])
        )
    }

    func signing(
        _ fixture: Fixture,
        service: AttestationService,
        pace: AssertionInterceptor.Pace = .answered,
        answer: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse = { _ in HTTPResponse(status: .ok) }
    ) throws -> (InterceptedSession, RecordingSession) {
        let base = RecordingSession(answering: answer)
        let interceptor = AssertionInterceptor(
            service: service,
            hosts: try hosts(),
            pace: pace,
            maximumBodySize: 1000,
            time: fixture.time.source
        )
        return (InterceptedSession(base, interceptors: [interceptor]), base)
    }

    @Test func everyRequestIsSignedAsItIsSent() async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let (session, base) = try signing(fixture, service: service)
        let path = fixture.folder["body"]
        try fixture.folder.write("body", "of a file")
        let bodies = [nil, HTTPBody([0xFF, 0, 0x7C, 0x80]), HTTPBody([]), HTTPBody(file: path)]
        for (count, body) in bodies.enumerated() {
            var request = try HTTPRequest(method: .put, url: "https://api.example/a%20b?q=%7C&r", body: body)
            // What a caller puts there does not stay.
            try request.fields.append("forged", for: "x-key-id")
            _ = try await session.data(for: request)
            let sent = base.requests[count]
            #expect(sent.fields[values: "X-Key-ID"].count == 1)
            #expect(sent.fields["X-Timestamp"] == "2026-01-01T00:00:00Z")
            #expect(try await check(sent, fixture.authority) == UInt32(count + 1))
        }
        #expect(base.requests[3].body?.bytes == Array("of a file".utf8))
        // A digest of what there is, and none of nothing: the SHA-256 of the four octets, by another program.
        let digests = base.requests.map { $0.fields[values: "Content-Digest"] }
        #expect(digests[0].isEmpty && digests[2].isEmpty && digests[3].count == 1)
        #expect(digests[1] == ["sha-256=:HI1izraVrSI218aV6ZK0TFw5gUF5Abh4zzqWedGqq+A=:"])
    }

    @Test func aDigestOfTheAppsOwnStays() async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let (session, base) = try signing(fixture, service: service)
        var request = try HTTPRequest(method: .post, url: "https://api.example/", body: HTTPBody([1]))
        try request.fields.set("sha-512=:AAAA:", for: "content-digest")
        _ = try await session.data(for: request)
        #expect(base.requests[0].fields[values: "Content-Digest"] == ["sha-512=:AAAA:"])
    }

    @Test func namesAndStringAreTheAppsOwn() async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let base = RecordingSession()
        let fields = AssertionFields(keyID: "K", signature: "S", timestamp: "T")
        let interceptor = AssertionInterceptor(
            service: service,
            hosts: try hosts(),
            fields: fields,
            signingString: RequestSigningString { parts in
                Array("\(parts.authority) \(parts.method) \(parts.path) \(parts.timestamp)".utf8)
            }
        )
        let session = InterceptedSession(base, interceptors: [interceptor])
        _ = try await session.data(from: "https://api.example/x")
        let sent = try #require(base.requests.first)
        let text = "api.example GET /x \(try #require(sent.fields["T"]))"
        let counter = try await fixture.authority.verify(
            Base64.standard.decode(try #require(sent.fields["S"])),
            clientDataHash: HashAlgorithm.sha256.hash(Array(text.utf8)),
            keyID: try #require(sent.fields["K"])
        )
        #expect(counter == 1)
    }

    @Test func aRetryIsSignedAnew() async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let (session, base) = try signing(fixture, service: service)
        let request = try HTTPRequest(url: "https://api.example/")
        _ = try await session.data(for: request)
        fixture.time.advance(by: .seconds(61))
        _ = try await session.data(for: request)
        #expect(base.requests[1].fields["X-Timestamp"] == "2026-01-01T00:01:01Z")
        #expect(try await check(base.requests[0], fixture.authority) == 1)
        #expect(try await check(base.requests[1], fixture.authority) == 2)
    }

    @Test func whatCannotBeSignedIsNotSent() async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let (session, base) = try signing(fixture, service: service)
        func sent(_ url: String, _ body: HTTPBody? = nil) async -> AttestationClientError.Code? {
            await code {
                _ = try await session.data(for: HTTPRequest(method: .post, url: url, body: body))
            }
        }
        let url = "https://api.example/"
        #expect(await sent(url, HTTPBody([UInt8](repeating: 0, count: 1001))) == .unsignableBody)
        #expect(await sent(url, HTTPBody(file: "/absent")) == .unsignableBody)
        #expect(await sent(url, HTTPBody(file: "/")) == .unsignableBody)
        #expect(unsafe mkfifo(fixture.folder["pipe"], 0o600) == 0)
        #expect(await sent(url, HTTPBody(file: fixture.folder["pipe"])) == .unsignableBody)
        try fixture.folder.write("large", String(repeating: "x", count: 1001))
        #expect(await sent(url, HTTPBody(file: fixture.folder["large"])) == .unsignableBody)
        let stream = HTTPBodyStream(AsyncStream<[UInt8]> { $0.finish() })
        #expect(await sent(url, HTTPBody(stream)) == .unsignableBody)
        #expect(await sent("http://api.example/") == .insecureTarget)
        #expect(await sent(url + "?a|b") == .unsignableRequest)
        fixture.time.setDate(Date(timeIntervalSince1970: -1))
        #expect(await sent(url) == .unsignableRequest)
        #expect(base.requests.isEmpty)
        // A host that is not the backend's sees no assertion.
        _ = try await session.data(from: "https://api.example.other.example/")
        #expect(base.requests.count == 1 && base.requests[0].fields.isEmpty)
    }

    @Test func anUnknownKeyIsReplacedOnce() async throws {
        let fixture = try Fixture()
        let provider = TestProvider(fixture.folder)
        let service = fixture.service(provider: provider)
        service.start()
        let old = try await service.attestedKeyID()
        let (session, base) = try signing(fixture, service: service) { request in
            request.fields["X-Key-ID"] == old
                ? TestAuthority.problem(.unauthorized, "unknownKey") : HTTPResponse(status: .ok)
        }
        #expect(try await session.data(from: "https://api.example/").status == .ok)
        #expect(base.requests.count == 2 && provider.count(.generate) == 2)
        #expect(try await check(base.requests[1], fixture.authority) == 1)
    }

    @Test func aBackendThatKnowsNoKeyEndsIt() async throws {
        let fixture = try Fixture()
        let provider = TestProvider(fixture.folder)
        let service = fixture.service(provider: provider)
        service.start()
        let (session, base) = try signing(fixture, service: service) { _ in
            TestAuthority.problem(.unauthorized, "unknownKey")
        }
        #expect(try await session.data(from: "https://api.example/").status == .unauthorized)
        #expect(base.requests.count == 2)
        #expect(await code { _ = try await session.data(from: "https://api.example/") } == .exhausted)
        #expect(await code { _ = try await session.data(from: "https://api.example/") } == .exhausted)
        #expect(base.requests.count == 3 && provider.count(.generate) == 2)
    }

    @Test func aBodyThatMustNotLeaveTwiceDoesNot() async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let old = try await service.attestedKeyID()
        let (session, base) = try signing(fixture, service: service) { _ in
            TestAuthority.problem(.unauthorized, "unknownKey")
        }
        let body = HTTPBody([1], isReplayable: false)
        let request = try HTTPRequest(method: .post, url: "https://api.example/", body: body)
        #expect(try await session.data(for: request).status == .unauthorized)
        #expect(base.requests.count == 1)
        #expect(try await service.attestedKeyID() != old)
    }

    @Test(
        arguments: [
            (401, "counterNotAdvanced", 3), (409, "counterOvertaken", 3), (401, "invalidSignature", 1),
            (409, "unknownKey", 1), (403, "counterOvertaken", 1), (500, "unknownKey", 1), (401, nil, 1),
        ] as [(Int, String?, Int)]
    )
    func anOvertakenAssertionIsMadeAnew(status: Int, code: String?, count: Int) async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let (session, base) = try signing(fixture, service: service) { _ in
            let status = try HTTPStatus(status)
            return code.map { TestAuthority.problem(status, $0) } ?? HTTPResponse(status: status)
        }
        #expect(try await session.data(from: "https://api.example/").status.code == status)
        #expect(base.requests.count == count)
        #expect("\(service.state)" == "attested")
        for (index, request) in base.requests.enumerated() {
            #expect(try await check(request, fixture.authority) == UInt32(index + 1))
        }
    }

    /// A session that holds every request until a test lets them all go.
    private struct HoldingSession: HTTPSession {
        let gate: TestGate
        let base: RecordingSession

        func data(for request: HTTPRequest) async throws -> HTTPResponse {
            let response = try await base.data(for: request)
            await gate.pass()
            return response
        }
    }

    @Test func theNextIsSignedWhenTheOneBeforeWasAnswered() async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        _ = try await service.attestedKeyID()
        let (gate, base) = (TestGate(), RecordingSession())
        let session = InterceptedSession(
            HoldingSession(gate: gate, base: base),
            interceptors: [AssertionInterceptor(service: service, hosts: try hosts())]
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { _ = try await session.data(from: "https://api.example/") }
            }
            await gate.arrivals(1)
            #expect(base.requests.count == 1)
            gate.open()
            try await group.waitForAll()
        }
        var counters: [UInt32] = []
        for request in base.requests { counters.append(try await check(request, fixture.authority)) }
        #expect(counters == Array(1...20))
    }

    @Test func orTogetherWhereTheBackendAllowsIt() async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let (gate, base) = (TestGate(), RecordingSession())
        let session = InterceptedSession(
            HoldingSession(gate: gate, base: base),
            interceptors: [AssertionInterceptor(service: service, hosts: try hosts(), pace: .signed)]
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { _ = try await session.data(from: "https://api.example/") }
            }
            await gate.arrivals(20)
            gate.open()
            try await group.waitForAll()
        }
        #expect(Set(base.requests.compactMap { $0.fields["X-Signature"] }).count == 20)
    }

    @Test func aCancelledRequestGivesItsTurnAway() async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let (gate, base) = (TestGate(), RecordingSession())
        let session = InterceptedSession(
            HoldingSession(gate: gate, base: base),
            interceptors: [AssertionInterceptor(service: service, hosts: try hosts())]
        )
        let first = Task { try await session.data(from: "https://api.example/1") }
        await gate.arrivals(1)
        let second = Task { try await session.data(from: "https://api.example/2") }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        gate.open()
        _ = try await first.value
        _ = try await session.data(from: "https://api.example/3")
        #expect(base.requests.map(\.target.path) == ["/1", "/3"])
    }

    /// What is sent on the way of a request cannot wait for that request, nor come before it: the counter would.
    @Test(arguments: [AssertionInterceptor.Pace.answered, .signed])
    func aRequestInsideARequestIsRefusedOrOvertakes(pace: AssertionInterceptor.Pace) async throws {
        struct Nesting: HTTPInterceptor {
            let inner: InterceptedSession
            func intercept(
                _ request: HTTPRequest,
                next: @Sendable (HTTPRequest) async throws -> HTTPResponse
            ) async throws -> HTTPResponse {
                _ = try await inner.data(from: "https://api.example/inner")
                return try await next(request)
            }
        }
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let base = RecordingSession()
        let signer = AssertionInterceptor(service: service, hosts: try hosts(), pace: pace)
        let inner = InterceptedSession(base, interceptors: [signer])
        let outer = InterceptedSession(base, interceptors: [signer, Nesting(inner: inner)])
        guard pace == .answered else {
            _ = try await outer.data(from: "https://api.example/outer")
            #expect(base.requests.map(\.target.path) == ["/inner", "/outer"])
            return
        }
        let error = await #expect(throws: AttestationClientError.self) {
            try await outer.data(from: "https://api.example/outer")
        }
        #expect(error?.code == .unsignableRequest && base.requests.isEmpty)
        _ = try await inner.data(from: "https://api.example/after")
    }
}
