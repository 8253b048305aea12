import AppAttestation
import AttestationAuthority
import HTTPMessages
import HTTPServing
import Locking
import RequestVerification

/// The backend: endpoints that have keys attested, and an API that takes requests signed with such keys, each once.
final class AttestedBackend: Sendable {
    static let appID = "org.example.app"

    /// What a run of the sample looks at afterwards.
    final class Log: Sendable {
        let attestations = Mutex(0)
        /// How many of the next requests are answered 503 after they were verified.
        let outages = Mutex(0)
    }

    let url: String
    let log = Log()
    private let server: HTTPServer

    init() throws {
        // A real backend has a database here; counters go up by compare and swap.
        let keys = InMemoryAttestedKeyStore()
        let log = self.log
        let endpoints = AttestationEndpoints(
            apple: try AttestationVerifier(appIDs: [Self.appID], formats: [AppleAppAttestFormat()]),
            installations: try AttestationVerifier(appIDs: [Self.appID], formats: [InstallationKeyFormat()]),
            keys: keys,
            onOutcome: { _, outcome in
                if case .success = outcome { log.attestations.withLock { $0 += 1 } }
            }
        )
        let verifier = AssertedRequestVerifier(keys: keys, window: .seconds(60))
        server = try HTTPServer { served in
            let request = served.request
            if let response = await endpoints.respond(to: request) { return response }
            do throws(VerificationError) {
                let proof = try await verifier.verify(request)
                let isDown = log.outages.withLock { outages in
                    defer { outages = max(0, outages - 1) }
                    return outages > 0
                }
                guard !isDown else { return HTTPResponse(status: .serviceUnavailable) }
                return HTTPResponse(status: .ok, body: Array("counter \(proof.counter)".utf8))
            } catch { return error.problem }
        }
        url = "http://localhost:\(server.port)"
    }
}
