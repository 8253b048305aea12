import Locking

/// A store that lasts as long as the process: for development, tests and the demo.
public final class InMemoryAuthorityStore: AuthorityStore {
    private struct StringKey: Hashable {
        let account: String
        let key: String
    }

    private struct Nonce {
        let account: String
        let endsAt: Int64
    }

    private struct KnownKey {
        let key: AccountKey
        var endsAt: Int64
    }

    private struct State {
        var accounts: [String: Account] = [:]
        var accountKeys: [String: [KnownKey]] = [:]
        var installations: [String: Installation] = [:]
        var nonces: [String: Nonce] = [:]
        var nonceLimit = 1024
        var secureStrings: [StringKey: String] = [:]
        /// By installation, then by key.
        var ownSecureStrings: [String: [String: String]] = [:]
        var attestations: [String: Attestation] = [:]
        var attestationOrder: [String] = []
    }

    private let state = Mutex(State())
    private let maximumAttestations: Int

    /// Makes an empty store.
    ///
    /// - Parameter maximumAttestations: How many outcomes are kept, from 0; the oldest half is forgotten beyond that.
    public init(maximumAttestations: Int = 10_000) {
        self.maximumAttestations = max(0, maximumAttestations)
    }

    /// Adds an account, or answers false when its identifier is taken.
    public func addAccount(_ account: Account) async throws(AuthorityError) -> Bool {
        state.withLock { state in
            guard state.accounts[account.id] == nil else { return false }
            state.accounts[account.id] = account
            return true
        }
    }

    /// The account of an identifier.
    public func account(_ id: String) async throws(AuthorityError) -> Account? {
        state.withLock { $0.accounts[id] }
    }

    /// Adds an account key; those before it stay known until their ends, fifteen at most.
    public func addAccountKey(
        _ key: AccountKey,
        account: String,
        keepingLastUntil endsAt: Int64,
        now: Int64
    ) async throws(AuthorityError) {
        state.withLock { state in
            var known = state.accountKeys[account] ?? []
            if !known.isEmpty { known[0].endsAt = endsAt }
            let others = known.filter { $0.endsAt > now }.prefix(15)
            state.accountKeys[account] = [KnownKey(key: key, endsAt: .max)] + others
        }
    }

    /// The present account key and those before it that have not ended.
    public func accountKeys(account: String, now: Int64) async throws(AuthorityError) -> [AccountKey] {
        state.withLock { state in
            (state.accountKeys[account] ?? []).filter { $0.endsAt > now }.map(\.key)
        }
    }

    /// Adds an installation.
    public func addInstallation(_ installation: Installation) async throws(AuthorityError) {
        state.withLock { $0.installations[installation.id] = installation }
    }

    /// Puts an installation in the place of the expected one, or answers false when that is not there any more.
    public func updateInstallation(
        _ installation: Installation,
        ifStill expected: Installation
    ) async throws(AuthorityError) -> Bool {
        state.withLock { state in
            guard state.installations[installation.id] == expected else { return false }
            state.installations[installation.id] = installation
            return true
        }
    }

    /// The installation of an identifier.
    public func installation(_ id: String) async throws(AuthorityError) -> Installation? {
        state.withLock { $0.installations[id] }
    }

    /// Remembers a nonce; those that have ended are forgotten now and then.
    public func addNonce(
        _ nonce: String,
        account: String,
        endsAt: Int64,
        now: Int64
    ) async throws(AuthorityError) {
        state.withLock { state in
            if state.nonces.count >= state.nonceLimit {
                state.nonces = state.nonces.filter { $0.value.endsAt > now }
                state.nonceLimit = max(1024, state.nonces.count * 2)
            }
            state.nonces[nonce] = Nonce(account: account, endsAt: endsAt)
        }
    }

    /// Forgets a nonce, and answers whether it was good.
    public func takeNonce(_ nonce: String, account: String, now: Int64) async throws(AuthorityError) -> Bool {
        state.withLock { state in
            guard let known = state.nonces[nonce], known.account == account else { return false }
            state.nonces[nonce] = nil
            return known.endsAt > now
        }
    }

    /// Defines a secure string of an account; nil deletes it.
    public func setSecureString(
        _ key: String,
        account: String,
        to secret: String?
    ) async throws(AuthorityError) {
        state.withLock { $0.secureStrings[StringKey(account: account, key: key)] = secret }
    }

    /// The secure string of an account's key.
    public func secureString(_ key: String, account: String) async throws(AuthorityError) -> String? {
        state.withLock { $0.secureStrings[StringKey(account: account, key: key)] }
    }

    /// Defines a secure string of an installation, or answers false when it has as many as it may.
    public func setSecureString(
        _ key: String,
        installation: String,
        to secret: String?,
        limit: Int
    ) async throws(AuthorityError) -> Bool {
        state.withLock { state in
            var strings = state.ownSecureStrings[installation] ?? [:]
            guard secret == nil || strings[key] != nil || strings.count < limit else { return false }
            strings[key] = secret
            state.ownSecureStrings[installation] = strings.isEmpty ? nil : strings
            return true
        }
    }

    /// The secure string of an installation's key.
    public func secureString(_ key: String, installation: String) async throws(AuthorityError) -> String? {
        state.withLock { $0.ownSecureStrings[installation]?[key] }
    }

    /// Remembers an outcome.
    public func addAttestation(_ attestation: Attestation) async throws(AuthorityError) {
        state.withLock { state in
            state.attestations[attestation.arc] = attestation
            state.attestationOrder.append(attestation.arc)
            let excess = state.attestationOrder.count - maximumAttestations
            guard excess > 0 else { return }
            let dropped = max(excess, maximumAttestations / 2)
            for arc in state.attestationOrder.prefix(dropped) { state.attestations[arc] = nil }
            state.attestationOrder.removeFirst(dropped)
        }
    }

    /// The outcome of a response code.
    public func attestation(arc: String) async throws(AuthorityError) -> Attestation? {
        state.withLock { $0.attestations[arc] }
    }
}
