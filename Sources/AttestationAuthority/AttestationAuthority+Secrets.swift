import Encodings
import JSONWebTokens
import Timing

extension AttestationAuthority {
    /// Reads, defines or deletes a secure string of the account, for an installation that attests.
    ///
    /// - Parameters:
    ///   - access: Who asks, with a proof over
    ///     ``InstallationProof/secureString(account:installation:nonce:key:definitionHash:)``.
    ///   - key: The name of the string, 1 to 64 characters.
    ///   - newDefinition: The secret to define; an empty one deletes; nil only reads.
    /// - Returns: The secret.
    /// - Throws: ``AuthorityError``; with code `unknownStringKey` when there is no secret under the key, after a
    ///   deletion too.
    public func secureString(
        _ access: InstallationAccess,
        key: String,
        newDefinition: String?
    ) async throws(AuthorityError) -> String {
        guard (1...64).contains(key.count) else {
            throw AuthorityError(.invalidStringKey, "the key is not 1 to 64 characters long")
        }
        var definitionHash: [UInt8]?
        if let newDefinition { definitionHash = try Self.hash(newDefinition) }
        let proof = InstallationProof.secureString(
            account: access.account,
            installation: access.installation,
            nonce: access.nonce,
            key: key,
            definitionHash: definitionHash
        )
        _ = try await attest(access, in: try await account(access.account), proof: proof)
        if let newDefinition {
            try await store.setSecureString(
                key,
                account: access.account,
                to: newDefinition.isEmpty ? nil : newDefinition
            )
        }
        guard let secret = try await store.secureString(key, account: access.account) else {
            throw AuthorityError(.unknownStringKey, "there is no secure string under the key")
        }
        return secret
    }

    /// Defines a secure string of an account, as its operator; nil deletes it.
    ///
    /// - Throws: ``AuthorityError`` with code `unknownAccount`, `invalidStringKey` or `storeFailed`.
    public func setSecureString(
        _ key: String,
        account: String,
        to secret: String?
    ) async throws(AuthorityError) {
        guard (1...64).contains(key.count) else {
            throw AuthorityError(.invalidStringKey, "the key is not 1 to 64 characters long")
        }
        _ = try await self.account(account)
        try await store.setSecureString(key, account: account, to: secret)
    }

    /// Signs claims of the app's own, for an installation that attests.
    ///
    /// - Parameters:
    ///   - access: Who asks, with a proof over
    ///     ``InstallationProof/customJWT(account:installation:nonce:payloadHash:)``.
    ///   - payload: A JSON object; it must not hold a claim that the authority makes itself.
    /// - Returns: A JWT of the type ``customTokenType``, good for the account's token lifetime.
    /// - Throws: ``AuthorityError``; with code `invalidPayload` for a payload that cannot be signed.
    public func customJWT(
        _ access: InstallationAccess,
        payload: String
    ) async throws(AuthorityError) -> TokenGrant {
        guard let object = (try? JSONValue(parsing: Array(payload.utf8)))?.object else {
            throw AuthorityError(.invalidPayload, "the payload is not a JSON object")
        }
        let reserved: Set = [
            "iss", "aud", "sub", "exp", "nbf", "iat", "jti", "did", "pay", "ipk", "mskid", "ip", "arc",
        ]
        if let name = object.members.map(\.name).first(where: reserved.contains) {
            throw AuthorityError(
                .invalidPayload,
                "the payload holds the claim \(name), which is the authority's"
            )
        }
        let account = try await account(access.account)
        let proof = InstallationProof.customJWT(
            account: account.id,
            installation: access.installation,
            nonce: access.nonce,
            payloadHash: try Self.hash(payload)
        )
        let arc = try await attest(access, in: account, proof: proof).arc
        let lifetime = account.tokenLifetime.components.seconds
        let now = time.secondsSince1970
        var claims = TokenClaims()
        claims.issuer = issuer
        claims.issuedAt = now
        claims.expiration = now + max(1, lifetime)
        for (name, value) in object.members { claims[name] = value }
        return TokenGrant(
            token: try sign(claims, with: customSigner),
            endsAt: now + max(1, lifetime),
            arc: arc,
            traceID: Hex.encode(try random(16)),
            loggableForm: String(decoding: claims.members.serialized(), as: UTF8.self)
        )
    }
}
