import Cryptography
import Encodings
import Timing

extension AttestationAuthority {
    /// How long after its end a backend whose clock is slow may take a token, in seconds.
    private static let clockTolerance: Int64 = 120

    /// Makes a new account key, which tokens name from now on.
    ///
    /// The key before it stays known for as long as tokens that name it are good, and two minutes more for the clocks of
    /// backends.
    ///
    /// - Returns: The new key, for the account's backends.
    /// - Throws: ``AuthorityError`` with code `unknownAccount`, `signingFailed` without randomness, or `storeFailed`.
    @discardableResult
    public func rotateAccountKey(account: String) async throws(AuthorityError) -> AccountKey {
        let lifetime = try await self.account(account).tokenLifetime.components.seconds
        var octets = try random(32)
        let key = AccountKey(id: Hex.encode(try random(8)), secret: SecretBytes(moving: &octets))
        let now = time.secondsSince1970
        try await store.addAccountKey(
            key,
            account: account,
            keepingLastUntil: now + max(1, lifetime) + Self.clockTolerance,
            now: now
        )
        return key
    }

    /// The account key of an identifier, for a backend that verifies; nil when there is none, or no longer.
    ///
    /// - Throws: ``AuthorityError`` with code `storeFailed`.
    public func accountKey(_ id: String, account: String) async throws(AuthorityError) -> AccountKey? {
        try await store.accountKeys(account: account, now: time.secondsSince1970).first { $0.id == id }
    }

    /// An account key, for an installation of the account that attests.
    ///
    /// - Parameters:
    ///   - access: Who asks, with a proof over ``InstallationProof/accountKey(account:installation:nonce:identifier:)``.
    ///   - identifier: The key, as the `mskid` claim of a token names it; nil asks for the present one.
    /// - Returns: The key.
    /// - Throws: ``AuthorityError``; with code `noAccountKey` when the account has none, or none of the identifier any more.
    public func accountKey(
        _ access: InstallationAccess,
        identifier: String? = nil
    ) async throws(AuthorityError) -> AccountKey {
        let proof = InstallationProof.accountKey(
            account: access.account,
            installation: access.installation,
            nonce: access.nonce,
            identifier: identifier
        )
        _ = try await attest(access, in: try await account(access.account), proof: proof)
        let keys = try await store.accountKeys(account: access.account, now: time.secondsSince1970)
        guard let key = identifier == nil ? keys.first : keys.first(where: { $0.id == identifier }) else {
            throw AuthorityError(.noAccountKey, "the account has no such key")
        }
        return key
    }

    /// Puts another key in the place of an installation's, which attests with the old one.
    ///
    /// Both keys sign the same statement. From then on the old one is none; tokens that name it are good until they end.
    /// An installation that did not hear of that asks again, still with both: when the new key is in its place already, its
    /// own signature is enough.
    ///
    /// - Parameters:
    ///   - access: Who asks, with a proof by the old key over
    ///     ``InstallationProof/replacement(account:installation:nonce:publicKey:)``.
    ///   - publicKey: The new key, a P-256 SubjectPublicKeyInfo in DER.
    ///   - proof: The same statement, signed with the new key.
    /// - Returns: The installation with its new key.
    /// - Throws: ``AuthorityError``, among others with code `invalidKey` or `invalidProof`.
    public func replaceKey(
        _ access: InstallationAccess,
        publicKey: [UInt8],
        proof: [UInt8]
    ) async throws(AuthorityError) -> Installation {
        let statement = InstallationProof.replacement(
            account: access.account,
            installation: access.installation,
            nonce: access.nonce,
            publicKey: publicKey
        )
        let account = try await account(access.account)
        try await take(access.nonce, of: account.id)
        for _ in 0..<Self.maximumRounds {
            try Self.checkCancellation()
            let (present, _) = try await judge(access, in: account, proof: statement) {
                $0.publicKey == publicKey ? proof : access.proof
            }
            guard present.publicKey != publicKey else { return present }
            try verify(proof, of: statement, with: publicKey)
            var changed = present
            changed.publicKey = publicKey
            // Refused when the installation was changed meanwhile, perhaps revoked: it is judged again then.
            if try await store.updateInstallation(changed, ifStill: present) { return changed }
        }
        throw Self.contended
    }
}
