import AttestationAuthority
import Locking

/// A store in which another process changes something, once, in the middle of a call.
struct InterruptedStore: AuthorityStore {
    typealias Change = @Sendable () async throws -> Void

    /// After which step the change comes.
    enum Moment {
        case reading, outcome
    }

    /// The change that is still to come; it is taken out before it is made.
    private final class Pending: Sendable {
        let change: Mutex<Change?>
        init(_ change: @escaping Change) { self.change = Mutex(change) }
    }

    let base: InMemoryAuthorityStore
    let moment: Moment
    /// Whether every change of an installation is told to have come too late.
    var isAlwaysLate = false
    private let pending: Pending

    init(_ base: InMemoryAuthorityStore, after moment: Moment = .reading, _ change: @escaping Change = {}) {
        self.base = base
        self.moment = moment
        pending = Pending(change)
    }

    private func interrupt(_ moment: Moment) async throws(AuthorityError) {
        guard moment == self.moment else { return }
        let change = pending.change.withLock { change in
            defer { change = nil }
            return change
        }
        do { try await change?() } catch {
            throw AuthorityError(.storeFailed, "the change failed", underlying: error)
        }
    }

    func addAccount(_ account: Account) async throws(AuthorityError) -> Bool {
        try await base.addAccount(account)
    }
    func account(_ id: String) async throws(AuthorityError) -> Account? { try await base.account(id) }
    func addAccountKey(
        _ key: AccountKey,
        account: String,
        keepingLastUntil endsAt: Int64,
        now: Int64
    ) async throws(AuthorityError) {
        try await base.addAccountKey(key, account: account, keepingLastUntil: endsAt, now: now)
    }
    func accountKeys(account: String, now: Int64) async throws(AuthorityError) -> [AccountKey] {
        try await base.accountKeys(account: account, now: now)
    }
    func addInstallation(_ installation: Installation) async throws(AuthorityError) {
        try await base.addInstallation(installation)
    }
    func updateInstallation(
        _ installation: Installation,
        ifStill expected: Installation
    ) async throws(AuthorityError) -> Bool {
        if isAlwaysLate { return false }
        return try await base.updateInstallation(installation, ifStill: expected)
    }
    func installation(_ id: String) async throws(AuthorityError) -> Installation? {
        let installation = try await base.installation(id)
        try await interrupt(.reading)
        return installation
    }
    func addNonce(_ nonce: String, account: String, endsAt: Int64, now: Int64) async throws(AuthorityError) {
        try await base.addNonce(nonce, account: account, endsAt: endsAt, now: now)
    }
    func takeNonce(_ nonce: String, account: String, now: Int64) async throws(AuthorityError) -> Bool {
        try await base.takeNonce(nonce, account: account, now: now)
    }
    func setSecureString(_ key: String, account: String, to secret: String?) async throws(AuthorityError) {
        try await base.setSecureString(key, account: account, to: secret)
    }
    func secureString(_ key: String, account: String) async throws(AuthorityError) -> String? {
        try await base.secureString(key, account: account)
    }
    func setSecureString(
        _ key: String,
        installation: String,
        to secret: String?,
        limit: Int
    ) async throws(AuthorityError) -> Bool {
        try await base.setSecureString(key, installation: installation, to: secret, limit: limit)
    }
    func secureString(_ key: String, installation: String) async throws(AuthorityError) -> String? {
        try await base.secureString(key, installation: installation)
    }
    func addAttestation(_ attestation: Attestation) async throws(AuthorityError) {
        try await base.addAttestation(attestation)
        try await interrupt(.outcome)
    }
    func attestation(arc: String) async throws(AuthorityError) -> Attestation? {
        try await base.attestation(arc: arc)
    }
}
