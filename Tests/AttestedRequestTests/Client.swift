import AppAttestation
import AppAttestationClient
import Cryptography
import Encodings
import HTTPMessages
import ProtectionTesting
import RequestVerification
import Testing

/// A backend's verifier, its stores, and one attested client that signs by hand.
struct Client {
    static let timestamp = "2026-01-01T00:00:00Z"

    let fixture: Fixture
    let keyID: String
    let verifier: AssertedRequestVerifier

    init(
        verifier assertions: AssertionVerifier = AssertionVerifier(),
        formats: Set<AttestedKeyFormat> = [.installationKey],
        window: Duration = .seconds(60)
    ) async throws {
        fixture = try Fixture()
        keyID = try fixture.provider.generateKey()
        let body = try fixture.submission(await fixture.challenge(), key: keyID)
        #expect(try await fixture.attest(body) == Answer(204))
        verifier = AssertedRequestVerifier(
            keys: fixture.keys,
            formats: formats,
            verifier: assertions,
            window: window,
            time: fixture.time.source
        )
    }

    func request(
        _ path: String = "/pay?x=1",
        body: String = "ten",
        timestamp: String = Self.timestamp
    ) throws -> HTTPRequest {
        let line = Array("PUT|\(path)|\(timestamp)|\(body)".utf8)
        let object = try fixture.provider.generateAssertion(
            keyID,
            clientDataHash: HashAlgorithm.sha256.hash(line)
        )
        var request = try HTTPRequest(
            method: .put,
            url: "https://api.example" + path,
            body: body.isEmpty ? nil : HTTPBody(body)
        )
        try request.fields.set(keyID, for: "X-Key-ID")
        try request.fields.set(Base64.standard.encode(object), for: "X-Signature")
        try request.fields.set(timestamp, for: "X-Timestamp")
        return request
    }

    /// What the backend answers: 200, or the problem.
    func answer(_ request: HTTPRequest, _ other: AssertedRequestVerifier? = nil) async throws -> Answer {
        do throws(VerificationError) {
            _ = try await (other ?? verifier).verify(request)
            return Answer(200)
        } catch {
            #expect(error.problem.status == error.status)
            return try Answer(error.problem)
        }
    }
}
