import AppAttestation
import AppAttestationClient
import Cryptography
import Encodings
import HTTPMessages
import HTTPServing

/// A backend: it gives challenges, takes attestations and verifies assertions, with the verifiers that the library has.
actor TestAuthority {
    static let appID = "org.example.app"

    let store = InMemoryAttestedKeyStore()
    private let verifier: AttestationVerifier
    private var challenges: [String: String] = [:]
    private(set) var challengeCount = 0
    private(set) var keyIDs: [String] = []

    init(appID: String = TestAuthority.appID) throws {
        verifier = try AttestationVerifier(appIDs: [appID], formats: [InstallationKeyFormat()])
    }

    func challenge() throws -> AttestationChallenge {
        challengeCount += 1
        let challenge = AttestationChallenge(
            sessionID: "session-\(challengeCount)",
            nonce: Hex.encode(try RandomBytes.generate(count: 16))
        )
        challenges[challenge.sessionID] = challenge.nonce
        return challenge
    }

    /// Takes a key; of a session that is used a second time, none.
    func enrol(_ submission: AttestationSubmission) async throws {
        guard let nonce = challenges.removeValue(forKey: submission.sessionID) else {
            throw AttestationError(.nonceMismatch, "no such session")
        }
        let keyID = try Base64.standard.decode(submission.keyID)
        let verified = try verifier.verify(
            submission.attestation,
            keyID: keyID,
            challenge: Array(nonce.utf8)
        )
        try await store.enrol(verified)
        keyIDs.append(submission.keyID)
    }

    /// The counter of an assertion that is right.
    nonisolated func verify(_ object: [UInt8], clientDataHash: [UInt8], keyID: String) async throws -> UInt32
    {
        try await AssertionVerifier().verify(
            object,
            clientDataHash: clientDataHash,
            keyID: Base64.standard.decode(keyID),
            store: store,
            formats: [.installationKey]
        ).counter
    }

    /// Answers a request for an attestation as the protocol has it.
    nonisolated func respond(to request: ServedRequest) async -> HTTPResponse {
        guard request.method == .post, let object = (try? JSONValue(parsing: request.body))?.object else {
            return Self.problem(.badRequest, "invalidRequest")
        }
        do {
            switch request.target.path {
            case "/installations/attest-init":
                let challenge = try await challenge()
                let answer: JSONValue = [
                    "sessionId": .string(challenge.sessionID), "nonce": .string(challenge.nonce),
                ]
                return HTTPResponse(status: .ok, body: answer.serialized())
            case "/installations/attest":
                guard let sessionID = object["sessionId"]?.string, let keyID = object["keyId"]?.string,
                    let attestation = object["attestation"]?.string
                else { return Self.problem(.badRequest, "invalidRequest") }
                try await enrol(
                    AttestationSubmission(
                        sessionID: sessionID,
                        keyID: keyID,
                        attestation: Base64.standard.decode(attestation)
                    )
                )
                return HTTPResponse(status: .noContent)
            default: return Self.problem(.notFound, "notFound")
            }
        } catch let error as AttestationError {
            return Self.problem(error.code == .keyAlreadyBound ? .conflict : .forbidden, "\(error.code)")
        } catch { return Self.problem(.badRequest, "invalidRequest") }
    }

    static func problem(_ status: HTTPStatus, _ code: String) -> HTTPResponse {
        let answer: JSONValue = ["code": .string(code)]
        return HTTPResponse(status: status, body: answer.serialized())
    }
}
