/// What the authority remembers.
///
/// Every method is atomic by itself. An implementation throws ``AuthorityError`` with code `storeFailed` when it cannot
/// tell or cannot remember; it never answers "not there" then.
public protocol AuthorityStore: Sendable {
    /// Adds an account, or answers false when its identifier is taken.
    func addAccount(_ account: Account) async throws(AuthorityError) -> Bool

    /// The account of an identifier.
    func account(_ id: String) async throws(AuthorityError) -> Account?

    /// Adds an account key, which is the present one from then on.
    ///
    /// The one that was present stays known until the given second since 1970, and so do those before it until theirs: tokens
    /// name them. A store may forget the oldest when there are more than sixteen.
    func addAccountKey(
        _ key: AccountKey,
        account: String,
        keepingLastUntil endsAt: Int64,
        now: Int64
    ) async throws(AuthorityError)

    /// The account keys that are known and have not ended, the present one first, which has no end.
    func accountKeys(account: String, now: Int64) async throws(AuthorityError) -> [AccountKey]

    /// Adds an installation. Its identifier is random, so there is none of it yet.
    func addInstallation(_ installation: Installation) async throws(AuthorityError)

    /// Puts an installation in the place of the one of its identifier, if that is still the expected one in all its parts.
    ///
    /// In SQL that is `UPDATE … WHERE id = …` with every other column of the expected one in the condition too.
    ///
    /// - Returns: False, and nothing changed, when there is another one by now, or none.
    func updateInstallation(
        _ installation: Installation,
        ifStill expected: Installation
    ) async throws(AuthorityError) -> Bool

    /// The installation of an identifier.
    func installation(_ id: String) async throws(AuthorityError) -> Installation?

    /// Remembers a nonce until the given second since 1970.
    func addNonce(_ nonce: String, account: String, endsAt: Int64, now: Int64) async throws(AuthorityError)

    /// Forgets a nonce, and answers whether it was there for the account and had not ended: of several callers with
    /// one nonce, exactly one is answered true.
    func takeNonce(_ nonce: String, account: String, now: Int64) async throws(AuthorityError) -> Bool

    /// Defines a secure string of an account, as its operator; nil deletes it.
    func setSecureString(_ key: String, account: String, to secret: String?) async throws(AuthorityError)

    /// The secure string of a key that the account's operator has defined.
    func secureString(_ key: String, account: String) async throws(AuthorityError) -> String?

    /// Defines a secure string of one installation; nil deletes it.
    ///
    /// - Returns: False, and nothing changed, when the installation would have more than `limit` strings of its own.
    func setSecureString(
        _ key: String,
        installation: String,
        to secret: String?,
        limit: Int
    ) async throws(AuthorityError) -> Bool

    /// The secure string of a key that the installation has defined.
    func secureString(_ key: String, installation: String) async throws(AuthorityError) -> String?

    /// Remembers an outcome, as long as the store keeps outcomes.
    func addAttestation(_ attestation: Attestation) async throws(AuthorityError)

    /// The outcome of a response code.
    func attestation(arc: String) async throws(AuthorityError) -> Attestation?
}
