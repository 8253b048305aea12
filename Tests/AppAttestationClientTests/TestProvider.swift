import AppAttestationClient
import Locking
import TestSupport

/// The software provider, with its calls counted and with faults by plan.
final class TestProvider: AttestationProvider {
    enum Step: Hashable { case generate, attest, assert, remove }

    let isSupported: Bool
    private let base: SoftwareAttestationProvider
    private let fault: @Sendable (Step, Int) async throws -> Void
    private let counts = Mutex<[Step: Int]>([:])

    init(
        _ folder: TemporaryFolder,
        isSupported: Bool = true,
        fault: @escaping @Sendable (Step, Int) async throws -> Void = { _, _ in }
    ) {
        base = SoftwareAttestationProvider(directory: folder.path, appID: TestAuthority.appID)
        self.isSupported = isSupported
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

    func generateKey() async throws -> String {
        try await take(.generate)
        return try base.generateKey()
    }

    func attestKey(_ keyID: String, clientDataHash: [UInt8]) async throws -> [UInt8] {
        try await take(.attest)
        return try base.attestKey(keyID, clientDataHash: clientDataHash)
    }

    func generateAssertion(_ keyID: String, clientDataHash: [UInt8]) async throws -> [UInt8] {
        try await take(.assert)
        return try base.generateAssertion(keyID, clientDataHash: clientDataHash)
    }

    func removeKey(_ keyID: String) async throws {
        try await take(.remove)
        try base.removeKey(keyID)
    }
}
