import AppAttestation
import AttestationAuthority
import HTTPMessages
import HTTPServing
import Locking
import RequestVerification

/// The backend: endpoints that have keys attested, and an API that takes requests signed with such keys, each once.
final class AttestedBackend: Sendable {
    /// The name of the client here; keys of App Attest belong to the app's own identifier.
    static let appID = "org.example.linux"
    private static let appleAppID = "1234567890.org.example.app"

    /// What the handler, which is made before the backend itself, and the backend share.
    private struct State {
        var attestations = 0
        var isFailing = false
    }

    private final class Log: Sendable {
        let state = Mutex(State())
    }

    let url: String
    private let log = Log()
    private let server: HTTPServer

    /// How many keys were attested.
    var attestations: Int { log.state.withLock { $0.attestations } }

    /// Answers the next request with 503, after it was verified.
    func failOnce() { log.state.withLock { $0.isFailing = true } }

    init() throws {
        // A real backend has a database here; counters go up by compare and swap.
        let keys = InMemoryAttestedKeyStore()
        let log = self.log
        let endpoints = AttestationEndpoints(
            apple: try AttestationVerifier(appIDs: [Self.appleAppID], formats: [AppleAppAttestFormat()]),
            installations: try AttestationVerifier(appIDs: [Self.appID], formats: [InstallationKeyFormat()]),
            keys: keys,
            onOutcome: { _, outcome in
                if case .success = outcome { log.state.withLock { $0.attestations += 1 } }
            }
        )
        let verifier = AssertedRequestVerifier(keys: keys, formats: [.installationKey])
        server = try HTTPServer { served in
            let request = served.request
            if let response = await endpoints.respond(to: request) { return response }
            do throws(VerificationError) {
                let proof = try await verifier.verify(request)
                let isFailing = log.state.withLock { state in
                    defer { state.isFailing = false }
                    return state.isFailing
                }
                guard !isFailing else { return HTTPResponse(status: .serviceUnavailable) }
                return HTTPResponse(status: .ok, body: Array("counter \(proof.counter)".utf8))
            } catch { return error.problem }
        }
        url = "http://localhost:\(server.port)"
    }
}
