import Cryptography
import Encodings
import Timing

extension AttestationAuthority {
    /// Verifies who asks, and judges the installation by the account's policy.
    func attest(
        _ access: InstallationAccess,
        in account: Account,
        proof: InstallationProof
    ) async throws(AuthorityError) -> (Installation, arc: String) {
        try await take(access.nonce, of: account.id)
        return try await judge(access, in: account, proof: proof)
    }

    /// What ``attest(_:in:proof:)`` does once the nonce is used up; `signature` says which one must be the installation's,
    /// where that depends on its key.
    func judge(
        _ access: InstallationAccess,
        in account: Account,
        proof: InstallationProof,
        signature: ((Installation) -> [UInt8])? = nil
    ) async throws(AuthorityError) -> (Installation, arc: String) {
        let installation = try await installation(access.installation)
        guard installation.account == account.id else {
            throw AuthorityError(.unknownInstallation, "there is no such installation in the account")
        }
        try verify(signature?(installation) ?? access.proof, of: proof, with: installation.publicKey)
        let reasons = try rejectionReasons(
            of: installation,
            in: account,
            developmentKey: access.developmentKey
        )
        let arc = Hex.encode(try random(8))
        try await store.addAttestation(
            Attestation(
                arc: arc,
                installation: installation.id,
                date: time.secondsSince1970,
                rejectionReasons: reasons
            )
        )
        guard reasons.isEmpty else {
            throw AuthorityError(
                .rejected,
                "the installation does not meet the account's policy",
                arc: arc,
                rejectionReasons: reasons.joined(separator: ",")
            )
        }
        return (installation, arc)
    }

    func take(_ nonce: String, of account: String) async throws(AuthorityError) {
        guard try await store.takeNonce(nonce, account: account, now: time.secondsSince1970) else {
            throw AuthorityError(.invalidNonce, "the nonce is unknown, used or ended")
        }
    }

    func verify(
        _ proof: [UInt8],
        of statement: InstallationProof,
        with publicKey: [UInt8]
    ) throws(AuthorityError) {
        let key: PublicKey
        do {
            key = try PublicKey(der: publicKey)
        } catch {
            throw AuthorityError(.invalidKey, "the installation key cannot be read", underlying: error)
        }
        guard key.keyType == .p256 else {
            throw AuthorityError(.invalidKey, "the installation key is not on P-256")
        }
        let isValid =
            (try? key.isValidSignature(proof, for: statement.signedBytes, using: .ecdsaP256SHA256)) == true
        guard isValid else {
            throw AuthorityError(.invalidProof, "the proof was not made with the installation key")
        }
    }

    private func rejectionReasons(
        of installation: Installation,
        in account: Account,
        developmentKey: String?
    ) throws(AuthorityError) -> [String] {
        if installation.isRevoked { return ["revoked"] }
        guard account.admission == .approvedInstallations, !installation.isApproved else { return [] }
        guard let developmentKey else { return ["not-approved"] }
        let isKnown = account.developmentKeyHashes.contains(try Self.developmentKeyHash(developmentKey))
        return isKnown ? [] : ["not-approved", "unknown-development-key"]
    }
}
