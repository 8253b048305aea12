import AppAttestationClient
import Glibc
import HTTPMessages

/// Where the process ends itself.
enum Step: String {
    case generated, recorded, challenged, attested, submitted, kept, asserted, racing

    /// Ends the process without a chance to tidy up.
    func end() {
        kill(getpid(), SIGKILL)
    }
}

struct EndingProvider: AttestationProvider {
    let base: SoftwareAttestationProvider
    let step: Step?

    var isSupported: Bool { base.isSupported }

    func generateKey() async throws -> String {
        defer { if step == .generated { step?.end() } }
        return try base.generateKey()
    }

    func attestKey(_ keyID: String, clientDataHash: [UInt8]) async throws -> [UInt8] {
        defer { if step == .attested { step?.end() } }
        return try base.attestKey(keyID, clientDataHash: clientDataHash)
    }

    func generateAssertion(_ keyID: String, clientDataHash: [UInt8]) async throws -> [UInt8] {
        defer { if step == .asserted { step?.end() } }
        return try base.generateAssertion(keyID, clientDataHash: clientDataHash)
    }

    func removeKey(_ keyID: String) async throws { try base.removeKey(keyID) }
}

struct EndingBackend: AttestationBackend {
    let base: HTTPAttestationBackend
    let step: Step?

    var endpoints: [RequestTarget] { base.endpoints }

    func fetchChallenge() async throws -> AttestationChallenge {
        let challenge = try await base.fetchChallenge()
        if step == .challenged { step?.end() }
        return challenge
    }

    func submit(_ submission: AttestationSubmission) async throws {
        try await base.submit(submission)
        if step == .submitted { step?.end() }
    }
}

struct EndingStore: AttestationKeyStore {
    let base: AttestationKeyFile
    let step: Step?

    func load() async throws -> AttestationRecord { try base.load() }

    func update<Result: Sendable>(
        _ change: @Sendable (inout AttestationRecord) throws -> Result
    ) async throws -> Result {
        let result = try base.update(change)
        let record = try base.load()
        if step == .recorded, record.pendingKeyID != nil { step?.end() }
        if step == .kept, record.keyID != nil { step?.end() }
        return result
    }

    func claim() async throws -> (any AttestationClaim)? { try base.claim() }
}
