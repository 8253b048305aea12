import HTTPMessages
import HTTPTransport
import Protection

/// The main job of the package from end to end, on this machine alone: an app, an authority and a backend.
///
/// Each step says what it expects and checks it; the program ends with 0 only when all did what they say.
@main
struct QuickStart {
    let transcript = Transcript()
    let service = ProtectionService.shared
    let authority: DemoAuthority
    let backend: ShapesAPI
    let session: ProtectedSession

    static func main() async throws {
        let demo = try await QuickStart()
        try await demo.plain()
        try await demo.attested()
        try await demo.bound()
        try await demo.policy()
        try await demo.secret()
        demo.transcript.end()
    }

    init() async throws {
        transcript.title("swift-protection: attested, bound and policy-driven requests")
        let certificates = try ThrowawayCertificates()
        authority = try await DemoAuthority()
        backend = try ShapesAPI(
            certificates: certificates,
            keys: authority.publicKeys,
            issuer: authority.issuer
        )
        transcript.note("a backend that verifies tokens listens on \(backend.url)")
        service.setLoggingLevel(.off)
        session = try ProtectedSession(
            configuration: CurlSession.Configuration(trustRoots: .pem(certificates.rootPEM))
        )
    }

    private func get(_ path: String, _ fields: [HTTPField.Name: String] = [:]) async throws -> HTTPResponse {
        var request = try HTTPRequest(url: backend.url + path)
        for (name, value) in fields { try request.fields.set(value, for: name) }
        return try await session.data(for: request)
    }

    private func plain() async throws {
        transcript.step("With an empty configuration the session is a plain one")
        try service.initialize(config: "")
        let response = try await get("/shapes")
        transcript.check(
            response.status == .unauthorized,
            "the backend answers \(response.status): \(backend.lastRefusal)"
        )
    }

    private func attested() async throws {
        transcript.step("With a full configuration every request proves where it comes from")
        try service.initialize(config: authority.configurationLine, fetcher: authority.fetcher)
        transcript.note(
            "the app's code does not change; the configuration line starts \(authority.configurationLine.prefix(40))…"
        )
        let response = try await get("/shapes")
        transcript.check(
            response.status == .ok,
            "the backend answers \(response.status): \(response.text ?? "")"
        )
        transcript.note("the token's claims, as a log may hold them: \(authority.lastLoggableToken)")
        transcript.check(
            service.lastARC != nil,
            "its attestation can be looked up by ARC \(service.lastARC ?? "none")"
        )
        transcript.check(service.deviceID != nil, "this installation is \(service.deviceID ?? "unknown")")
    }

    private func bound() async throws {
        transcript.step("A token is bound to the caller's credentials")
        try service.setBindingHeaders([.authorization])
        let response = try await get("/shapes", [.authorization: "Bearer alice"])
        transcript.check(response.status == .ok, "Alice's request is answered \(response.status)")
        guard let token = backend.lastToken else { return transcript.check(false, "the backend saw a token") }
        let thief = try CurlSession(configuration: .init(trustRoots: .pem(backend.rootPEM)))
        var stolen = try HTTPRequest(url: backend.url + "/shapes")
        try stolen.fields.set(token, for: "Protection-Token")
        try stolen.fields.set("Bearer mallory", for: .authorization)
        let refused = try await thief.data(for: stolen)
        transcript.check(
            refused.status == .unauthorized,
            "her token with Mallory's credentials is answered \(refused.status): \(backend.lastRefusal)"
        )
        try service.setBindingHeaders([])
    }

    private func policy() async throws {
        transcript.step("The app's own policy decides")
        service.setServiceMutator(DemoPolicy())
        service.setUsesStatusIfNoToken(true)
        authority.outage.isDown = true
        service.discardTokens()
        let health = try await get("/health")
        transcript.check(
            health.status == .ok && backend.lastToken == nil,
            "the health check is left alone and answered \(health.status)"
        )
        let response = try await get("/shapes")
        transcript.check(
            response.status == .unauthorized && backend.lastRefusal.contains("NO_ATTESTATION_SERVICE"),
            "with the authority down the backend learns why there is no token: \(backend.lastRefusal)"
        )
        authority.outage.isDown = false
        service.discardTokens()
        service.setServiceMutator(nil)
    }

    private func secret() async throws {
        transcript.step("A secret is put into the request, and stands neither in the app nor in a log")
        try service.addSubstitutionHeader("Api-Key", prefix: "Key ")
        let response = try await get("/shapes/premium", ["Api-Key": "Key shapes-api-key"])
        transcript.check(
            response.status == .ok,
            "the app wrote the placeholder, the backend got the secret: \(response.text ?? "")"
        )
        transcript.check(!transcript.contains(authority.secret), "this transcript does not hold the secret")
    }
}
