import Cryptography
import Encodings

extension AttestationAuthority {
    /// Makes a new account key, which tokens name from now on.
    ///
    /// The key before it stays known, for the signatures made with tokens that name it.
    ///
    /// - Returns: The new key, for the account's backends.
    /// - Throws: ``AuthorityError`` with code `unknownAccount`, `signingFailed` without randomness, or `storeFailed`.
    @discardableResult
    public func rotateAccountKey(account: String) async throws(AuthorityError) -> AccountKey {
        _ = try await self.account(account)
        var octets = try random(32)
        let key = AccountKey(id: Hex.encode(try random(8)), secret: SecretBytes(moving: &octets))
        try await store.addAccountKey(key, account: account)
        return key
    }

    /// The account key of an identifier, for a backend that verifies; nil when there is none, or no longer.
    ///
    /// - Throws: ``AuthorityError`` with code `storeFailed`.
    public func accountKey(_ id: String, account: String) async throws(AuthorityError) -> AccountKey? {
        try await store.accountKeys(account: account).first { $0.id == id }
    }

    /// The present account key, for an installation that attests.
    ///
    /// - Parameter access: Who asks, with a proof over ``InstallationProof/accountKey(account:installation:nonce:)``.
    /// - Returns: The key that tokens name now.
    /// - Throws: ``AuthorityError``; with code `noAccountKey` when the account has none.
    public func accountKey(_ access: InstallationAccess) async throws(AuthorityError) -> AccountKey {
        let proof = InstallationProof.accountKey(
            account: access.account,
            installation: access.installation,
            nonce: access.nonce
        )
        _ = try await attest(access, in: try await account(access.account), proof: proof)
        guard let key = try await store.accountKeys(account: access.account).first else {
            throw AuthorityError(.noAccountKey, "the account has no key")
        }
        return key
    }

    /// Puts another key in the place of an installation's, which attests with the old one.
    ///
    /// Both keys sign the same statement. From then on the old one is none; tokens that name it are good until they end.
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
    /// An installation that did not hear of that asks again, still with both: when the new key is in its place already, its
    /// own signature is enough.
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
