import AppAttestationClient
import Encodings
import FoundationEssentials
import HTTPInterceptors
import HTTPMessages
import HTTPTransport

/// An app whose key is attested once and signs every request, its backend, and somebody in between.
///
/// Each line is a check; the program ends with 0 only when all came true.
@main
struct AttestedClient {
    let backend: AttestedBackend
    let transport: CurlSession
    let wire: WireTap
    let folder: String
    var checks = Checks()

    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "attested-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var sample = try AttestedClient(folder: folder)
        try await sample.runTwice()
        try await sample.attack()
        try await sample.recover()
        try FileManager.default.removeItem(atPath: folder)
        sample.checks.end()
    }

    init(folder: String) throws {
        self.folder = folder
        backend = try AttestedBackend()
        transport = try CurlSession()
        wire = WireTap()
    }

    /// What an app makes at its start: a key of the last run is found again.
    private func startApp() throws -> InterceptedSession {
        let service = AttestationService(
            provider: SoftwareAttestationProvider(directory: folder, appID: AttestedBackend.appID),
            backend: try HTTPAttestationBackend(baseURL: backend.url, session: transport),
            store: AttestationKeyFile(path: folder + "/attestation.json")
        )
        service.start()
        let hosts = [try HostPattern("localhost")]
        return InterceptedSession(
            transport,
            interceptors: [
                RetryInterceptor(),
                ConnectivityInterceptor(monitor: ReportedConnectivity()),
                AttestationGateInterceptor(service: service),
                TokenRefreshInterceptor(
                    hosts: hosts,
                    credential: RefreshableCredential("user-token") { _ in "next-token" }
                ),
                AssertionInterceptor(service: service, hosts: hosts),
                wire,
            ]
        )
    }

    private func order() throws -> HTTPRequest {
        try HTTPRequest(
            method: .put,
            url: backend.url + "/orders/7",
            body: HTTPBody(#"{"to":"alice","amount":10}"#)
        )
    }

    private mutating func runTwice() async throws {
        for (run, counter) in [("first", 1), ("second", 2)] {
            let response = try await startApp().data(for: order())
            let attestations = backend.attestations
            checks.check(
                response.text == "counter \(counter)" && attestations == 1,
                "the \(run) run: \(response.status) \(response.text ?? ""), keys attested so far: \(attestations)"
            )
        }
    }

    private mutating func attack() async throws {
        guard let sent = wire.last else { return checks.check(false, "a request was seen on the wire") }
        checks.check(
            sent.fields[.authorization] != nil && sent.fields.contains("X-Signature"),
            "a request on the wire has a token and a signature"
        )
        try await refused(sent, 401, "counterNotAdvanced", "the same request once more")
        var body = sent
        body.body = HTTPBody(#"{"to":"mallory","amount":10}"#)
        try await refused(body, 401, "bodyChanged", "with another body")
        body.fields.removeAll("Content-Digest")
        try await refused(body, 401, "badSignature", "with another body and no digest")
        var path = sent
        path.target = try RequestTarget(backend.url + "/orders/8")
        try await refused(path, 401, "badSignature", "with another path")
        var old = sent
        try old.fields.set("2020-01-01T00:00:00Z", for: "X-Timestamp")
        try await refused(old, 401, "staleTimestamp", "with another time")
        var stranger = sent
        try stranger.fields.set(Base64.standard.encode([UInt8](repeating: 7, count: 32)), for: "X-Key-ID")
        try await refused(stranger, 401, "unknownKey", "with a key that nobody attested")
        try await refused(order(), 401, "missingField", "a client without a key")
    }

    private mutating func refused(
        _ request: HTTPRequest,
        _ status: Int,
        _ code: String,
        _ what: String
    ) async throws {
        let response = try await transport.data(for: request)
        let found = try JSONValue(parsing: response.body).object?["code"]?.string ?? "no code"
        checks.check(
            response.status.code == status && found == code,
            "\(what): \(response.status) \(found)"
        )
    }

    /// The attempt that fails has used its counter up; the next one is signed anew.
    private mutating func recover() async throws {
        let session = try startApp()
        let before = wire.count
        backend.failOnce()
        let response = try await session.data(for: order())
        checks.check(
            response.status == .ok && wire.count - before == 2,
            "after an outage: \(response.status) \(response.text ?? ""), attempts: \(wire.count - before)"
        )
    }
}
