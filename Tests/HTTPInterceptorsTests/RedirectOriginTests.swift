import HTTPInterceptors
import HTTPMessages
import Testing

@Suite("Redirects to another origin") struct RedirectOriginTests {
    static let credentials: [HTTPField.Name] = [
        "Authorization", "Cookie", "Proxy-Authorization", "Signature", "Signature-Input", "Host",
        "Protection-Token", "Api-Key", "X-Amz-Security-Token", "X-Amz-Date", "X-Amz-Content-Sha256",
        "X-Amz-Region-Set",
    ]

    private let redirect: RedirectInterceptor

    init() {
        var policy = RedirectPolicy.follow
        policy.allowsInsecure = true
        policy.sensitiveFields = ["api-key"]
        redirect = RedirectInterceptor(policy: policy, sensitiveFields: { ["protection-token"] })
    }

    private func request(_ name: HTTPField.Name, url: String = "https://a.example/") throws -> HTTPRequest {
        var request = try HTTPRequest(url: url)
        try request.fields.append("s3cret", for: name)
        try request.fields.append("s3cret too", for: name)
        try request.fields.append("kept", for: "Accept")
        return request
    }

    @Test(
        arguments: credentials,
        [
            ("https://b.example/", true), ("https://a.example:8443/", true), ("http://a.example/", true),
            ("https://sub.a.example/", true), ("//b.example/", true), ("https://A.EXAMPLE:443/x", false),
            ("/x", false), ("//a.example/x", false), ("?y", false),
        ]
    ) func aCredentialStaysInItsOrigin(
        name: HTTPField.Name,
        hop: (location: String, crosses: Bool)
    ) async throws {
        let session = RedirectTests.server(307, to: hop.location)
        _ = try await session.data(for: try request(name), interceptors: [redirect])
        let sent = try #require(session.requests.last)
        #expect(sent.fields[values: name] == (hop.crosses ? [] : ["s3cret", "s3cret too"]))
        #expect(sent.fields["Accept"] == "kept")
    }

    @Test(arguments: credentials) func itDoesNotComeBack(name: HTTPField.Name) async throws {
        let session = RedirectTests.server(307, to: "https://b.example/", "https://a.example/", "/again")
        _ = try await session.data(for: try request(name), interceptors: [redirect])
        #expect(session.requests.map { $0.fields.contains(name) } == [true, false, false, false])
    }

    @Test(arguments: credentials) func fromHTTPToHTTPSIsAnotherOriginToo(name: HTTPField.Name) async throws {
        let session = RedirectTests.server(301, to: "https://a.example/")
        _ = try await session.data(for: try request(name, url: "http://a.example/"), interceptors: [redirect])
        #expect(session.requests.last?.fields.contains(name) == false)
    }

    @Test func theNamesAreAskedForAtEachCrossing() async throws {
        let asked = Counter()
        let redirect = RedirectInterceptor(sensitiveFields: {
            asked.next() == 1 ? [] : ["Api-Key"]
        })
        let session = RedirectTests.server(307, to: "/x", "https://b.example/", "https://c.example/")
        _ = try await session.data(for: try request("Api-Key"), interceptors: [redirect])
        #expect(session.requests.map { $0.fields.contains("Api-Key") } == [true, true, true, false])
        #expect(asked.value == 2)
    }

    @Test func anExemptionFromPinsStaysWithItsOrigin() async throws {
        var request = try HTTPRequest(url: "https://a.example/")
        request.options.isPinned = false
        let session = RedirectTests.server(307, to: "/x", "https://b.example/", "https://a.example/")
        _ = try await session.data(for: request, interceptors: [redirect])
        #expect(session.requests.map(\.options.isPinned) == [false, false, true, true])
    }

    private static func policy(_ hosts: String..., mode: PinSet.Mode = .enforce) throws -> PinningPolicy {
        try PinningPolicy(
            Dictionary(
                uniqueKeysWithValues: hosts.map { (try HostPattern($0), PinSet([], mode: mode)) }
            )
        )
    }

    @Test func pinsThatDoNotHoldForTheNextHostStayBehind() async throws {
        var request = try HTTPRequest(url: "https://a.example/")
        let policies: [(PinningPolicy, stays: Bool)] = [
            (PinningPolicy(), false), (try Self.policy("a.example"), false),
            (try Self.policy("a.example", "b.example", mode: .reportOnly), false),
            (PinningPolicy(others: PinSet([], mode: .reportOnly)), false),
            (try Self.policy("a.example", "b.example"), true), (try Self.policy("*.example"), true),
            (PinningPolicy(others: PinSet([])), true),
            (PinningPolicy(others: PinSet([], expiresAt: 1)), false),
        ]
        for (policy, stays) in policies {
            request.options.pins = policy
            let session = RedirectTests.server(307, to: "/x", "https://b.example/", "https://a.example/")
            _ = try await session.data(for: request, interceptors: [redirect])
            let next = stays ? policy : nil
            let back = policy.pins(for: "a.example", at: 2)?.mode == .enforce ? policy : nil
            #expect(session.requests.map(\.options.pins) == [policy, policy, next, back])
        }
    }

    /// A server that is not pinned must not lead to a pinned one without its pins.
    @Test func aDetourDoesNotTakePinsAway() async throws {
        var request = try HTTPRequest(url: "https://a.example/")
        let policy = try Self.policy("a.example", "c.example")
        request.options.pins = policy
        request.options.isPinned = false
        let session = RedirectTests.server(
            307,
            to: "https://b.example/",
            "https://c.example/",
            "https://a.example:8443/"
        )
        _ = try await session.data(for: request, interceptors: [redirect])
        #expect(session.requests.map(\.options.pins) == [policy, nil, policy, policy])
        #expect(session.requests.map(\.options.isPinned) == [false, true, true, true])
    }

    @Test func theTimeOfARequestIsThatOfAllItsHops() async throws {
        let time = FakeTime()
        var request = try HTTPRequest(url: "https://a.example/")
        request.options.timeout = .seconds(10)
        let session = FakeSession { request, count in
            time.advance(by: .seconds(4))
            guard count < 3 else { return HTTPResponse(status: .ok) }
            var response = HTTPResponse(status: try HTTPStatus(302))
            try response.fields.set("/\(count)", for: .location)
            return response
        }
        _ = try await session.data(for: request, interceptors: [RedirectInterceptor(time: time.source)])
        #expect(
            session.requests.map(\.options.timeout) == [
                .seconds(10), .seconds(6), .seconds(2), .milliseconds(1),
            ]
        )
    }

    @Test func anotherOriginOfTheSameHostKeepsItsPins() async throws {
        var request = try HTTPRequest(url: "http://a.example/")
        request.options.pins = try Self.policy("a.example")
        let session = RedirectTests.server(307, to: "https://a.example/", "https://a.example:8443/")
        _ = try await session.data(for: request, interceptors: [redirect])
        #expect(session.requests.allSatisfy { $0.options.pins == request.options.pins })
    }

    @Test func credentialsOfInterceptorsFurtherInAreDecidedForEachHop() async throws {
        let bearer = BearerAuthInterceptor(hosts: [try HostPattern("a.example")], token: { "t0ken" })
        let session = RedirectTests.server(307, to: "https://b.example/", "https://a.example/")
        _ = try await session.data(
            for: try HTTPRequest(url: "https://a.example/"),
            interceptors: [redirect, bearer]
        )
        #expect(session.requests.map { $0.fields[.authorization] } == ["Bearer t0ken", nil, "Bearer t0ken"])
    }
}
