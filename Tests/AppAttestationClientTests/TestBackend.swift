import AppAttestationClient
import HTTPMessages
import Locking

/// The authority without a network, and with faults by plan.
final class TestBackend: AttestationBackend {
    enum Step: Hashable { case challenge, submission, answer }

    let authority: TestAuthority
    let endpoints: [RequestTarget]
    /// What goes wrong at a step that is taken for the nth time, from 1.
    private let fault: @Sendable (Step, Int) async throws -> Void
    private let counts = Mutex<[Step: Int]>([:])

    init(
        _ authority: TestAuthority,
        endpoints: [RequestTarget] = [],
        fault: @escaping @Sendable (Step, Int) async throws -> Void = { _, _ in }
    ) {
        self.authority = authority
        self.endpoints = endpoints
        self.fault = fault
    }

    func count(_ step: Step) -> Int { counts.withLock { $0[step, default: 0] } }

    private func take(_ step: Step) async throws {
        let count = counts.withLock { counts in
            counts[step, default: 0] += 1
            return counts[step, default: 0]
        }
        try await fault(step, count)
    }

    func fetchChallenge() async throws -> AttestationChallenge {
        try await take(.challenge)
        return try await authority.challenge()
    }

    func submit(_ submission: AttestationSubmission) async throws {
        try await take(.submission)
        try await authority.enrol(submission)
        // The key is kept, but the client may not hear of it.
        try await take(.answer)
    }
}
