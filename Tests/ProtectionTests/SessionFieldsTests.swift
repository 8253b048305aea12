import HTTPInterceptors
import HTTPMessages
import Protection
import ProtectionTesting
import Testing

@Suite("Fields of a session") struct SessionFieldsTests {
    enum Service: CaseIterable { case uninitialized, emptyConfiguration, excluding, enabled }

    private func service(_ kind: Service) throws -> ProtectionService {
        switch kind {
        case .uninitialized, .emptyConfiguration:
            let service = ProtectionService()
            service.setLoggingLevel(.off)
            if kind == .emptyConfiguration { try service.initialize(config: "") }
            return service
        case .excluding, .enabled:
            let service = try TestConfiguration.service(ScriptedTokenFetcher(tokens: [.token("one")]))
            if kind == .excluding { try service.addExclusionURLRegex("example") }
            return service
        }
    }

    /// Redirects the first request to one location, and a request to `/again` back to the first host.
    private func transport(to location: String) -> RecordingSession {
        RecordingSession { request in
            let next = ["/first": location, "/again": "https://example.com/back"][request.target.path]
            guard let next else { return HTTPResponse(status: .ok) }
            return HTTPResponse(
                status: try HTTPStatus(302),
                fields: HTTPFields([try HTTPField(.location, next)])
            )
        }
    }

    private let fields: HTTPFields

    init() throws {
        fields = HTTPFields([
            try HTTPField(.authorization, "Bearer s3cret"), try HTTPField("X-Api-Key", "s3cret"),
        ])
    }

    @Test(
        arguments: Service.allCases,
        [
            ("https://other.example/x", [true, false]), ("https://example.com:8443/x", [true, false]),
            ("https://other.example/again", [true, false, false]), ("/x", [true, true]),
            ("https://example.com/x", [true, true]),
        ]
    ) func theyStayInTheOriginThatWasAskedFor(
        kind: Service,
        hop: (location: String, carries: [Bool])
    ) async throws {
        let transport = transport(to: hop.location)
        let session = ProtectedSession(service: try service(kind), transport: transport, fields: fields)
        _ = try await session.data(from: "https://example.com/first")
        for field in fields {
            #expect(transport.requests.map { $0.fields.contains(field.name) } == hop.carries)
        }
    }

    @Test func aRequestsOwnFieldCountsFirst() async throws {
        let transport = RecordingSession()
        let session = ProtectedSession(
            service: try service(.uninitialized),
            transport: transport,
            fields: fields
        )
        var request = try HTTPRequest(url: "https://example.com/")
        try request.fields.set("own", for: "x-api-key")
        _ = try await session.data(for: request)
        #expect(transport.requests.map { $0.fields[values: "X-Api-Key"] } == [["own"]])
        #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer s3cret"])
    }

    @Test func theyAreBoundAndSubstitutedAsTheRequestsOwn() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [.token("one")])
        fetcher.setSecureString("s3cret", [.init(FetchResult(status: .success, secureString: "real"))])
        let service = try TestConfiguration.service(fetcher)
        try service.setBindingHeaders([.authorization])
        try service.addSubstitutionHeader("X-Api-Key")
        let transport = RecordingSession()
        let session = ProtectedSession(service: service, transport: transport, fields: fields)
        _ = try await session.data(from: "https://example.com/")
        #expect(fetcher.tokenRequests.first?.dataHash != nil)
        #expect(transport.requests.first?.fields["X-Api-Key"] == "real")
    }

    @Test(
        arguments: ["X-Session", "Api-Key", "Protection-Token", "Trace-ID", "X-Tenant"] as [HTTPField.Name],
        [("https://other.example/x", [true, false]), ("/x", [true, true])]
    ) func whatTheServiceUsesStaysInItsOriginToo(
        name: HTTPField.Name,
        hop: (location: String, carries: [Bool])
    ) async throws {
        let service = try service(.enabled)
        try service.setBindingHeaders(["X-Session"])
        try service.addSubstitutionHeader("Api-Key")
        service.setTraceIDHeader("Trace-ID")
        // Only what the caller sets is looked at: the service adds nothing to these hosts.
        try service.addExclusionURLRegex("example")
        var redirects = RedirectPolicy.follow
        redirects.sensitiveFields = ["X-Tenant"]
        let transport = transport(to: hop.location)
        let session = ProtectedSession(service: service, transport: transport, redirects: redirects)
        var request = try HTTPRequest(url: "https://example.com/first")
        try request.fields.append("s3cret", for: name)
        _ = try await session.data(for: request)
        #expect(transport.requests.map { $0.fields.contains(name) } == hop.carries)
    }
}
