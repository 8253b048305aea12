import AttestationAuthority

/// A store that can neither tell nor remember.
struct FailingStore: AuthorityStore {
    private static let failure = AuthorityError(.storeFailed, "the disk is full")

    func addAccount(_ account: Account) async throws(AuthorityError) -> Bool { throw Self.failure }
    func account(_ id: String) async throws(AuthorityError) -> Account? { throw Self.failure }
    func addAccountKey(
        _ key: AccountKey,
        account: String,
        keepingLastUntil endsAt: Int64,
        now: Int64
    ) async throws(AuthorityError) { throw Self.failure }
    func accountKeys(account: String, now: Int64) async throws(AuthorityError) -> [AccountKey] {
        throw Self.failure
    }
    func addInstallation(_ installation: Installation) async throws(AuthorityError) { throw Self.failure }
    func updateInstallation(
        _ installation: Installation,
        ifStill expected: Installation
    ) async throws(AuthorityError) -> Bool { throw Self.failure }
    func installation(_ id: String) async throws(AuthorityError) -> Installation? { throw Self.failure }
    func addNonce(_ nonce: String, account: String, endsAt: Int64, now: Int64) async throws(AuthorityError) {
        throw Self.failure
    }
    func takeNonce(_ nonce: String, account: String, now: Int64) async throws(AuthorityError) -> Bool {
        throw Self.failure
    }
    func setSecureString(_ key: String, account: String, to secret: String?) async throws(AuthorityError) {
        throw Self.failure
    }
    func secureString(_ key: String, account: String) async throws(AuthorityError) -> String? {
        throw Self.failure
    }
    func setSecureString(
        _ key: String,
        installation: String,
        to secret: String?,
        limit: Int
    ) async throws(AuthorityError) -> Bool { throw Self.failure }
    func secureString(_ key: String, installation: String) async throws(AuthorityError) -> String? {
        throw Self.failure
    }
    func addAttestation(_ attestation: Attestation) async throws(AuthorityError) { throw Self.failure }
    func attestation(arc: String) async throws(AuthorityError) -> Attestation? { throw Self.failure }
}
