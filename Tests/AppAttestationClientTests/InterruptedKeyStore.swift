import AppAttestationClient
import Locking

/// A store in which something else happens, once, after a call has done its work and before it returns.
final class InterruptedKeyStore: AttestationKeyStore {
    typealias Interruption = @Sendable () async throws -> Void

    private let base: AttestationKeyFile
    private let isMoment: @Sendable (_ isChange: Bool, AttestationRecord) -> Bool
    private let interruption = Mutex<Interruption?>(nil)

    /// `moment` says whether it is time, after a change or a look at the record, and what that is now.
    init(
        _ base: AttestationKeyFile,
        at moment: @escaping @Sendable (_ isChange: Bool, AttestationRecord) -> Bool
    ) {
        self.base = base
        isMoment = moment
    }

    func interrupt(with interruption: @escaping Interruption) {
        self.interruption.withLock { $0 = interruption }
    }

    private func check(_ isChange: Bool, _ record: AttestationRecord) async throws {
        guard isMoment(isChange, record) else { return }
        let interruption = interruption.withLock { interruption in
            defer { interruption = nil }
            return interruption
        }
        try await interruption?()
    }

    func load() async throws -> AttestationRecord {
        let record = try base.load()
        try await check(false, record)
        return record
    }

    func update<Result: Sendable>(
        _ change: @Sendable (inout AttestationRecord) throws -> Result
    ) async throws -> Result {
        let result = try base.update(change)
        try await check(true, base.load())
        return result
    }

    func claim() async throws -> (any AttestationClaim)? { try base.claim() }
}
