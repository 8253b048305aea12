import Encodings
import JSONWebTokens
import Timing

extension AttestationAuthority {
    /// The most octets of a secure string's name, in UTF-8.
    public static let maximumStringKeyLength = 64
    /// The most octets of a secure string, in UTF-8.
    public static let maximumSecureStringLength = 16 << 10
    /// The most secure strings that an installation may define for itself.
    public static let maximumOwnSecureStrings = 64

    /// Reads, defines or deletes a secure string, for an installation that attests.
    ///
    /// What an installation defines is its own: no other installation sees it. It stands above the operator's secret of
    /// the same name, which shows again after a deletion.
    ///
    /// - Parameters:
    ///   - access: Who asks, with a proof over
    ///     ``InstallationProof/secureString(account:installation:nonce:key:definitionHash:)``.
    ///   - key: The name of the string, 1 to ``maximumStringKeyLength`` octets.
    ///   - newDefinition: The secret to define, of at most ``maximumSecureStringLength`` octets; an empty one deletes the
    ///     installation's own; nil only reads.
    /// - Returns: The secret: the installation's own, or else the operator's.
    /// - Throws: ``AuthorityError``; with code `unknownStringKey` when there is no secret under the key, after a
    ///   deletion too; `secureStringTooLong`, or `tooManySecureStrings` beyond ``maximumOwnSecureStrings``.
    public func secureString(
        _ access: InstallationAccess,
        key: String,
        newDefinition: String?
    ) async throws(AuthorityError) -> String {
        try Self.check(key, newDefinition)
        var definitionHash: [UInt8]?
        if let newDefinition { definitionHash = try Self.hash(newDefinition) }
        let proof = InstallationProof.secureString(
            account: access.account,
            installation: access.installation,
            nonce: access.nonce,
            key: key,
            definitionHash: definitionHash
        )
        let account = try await account(access.account)
        let (installation, _) = try await attest(access, in: account, proof: proof)
        if let newDefinition {
            let isTaken = try await store.setSecureString(
                key,
                installation: installation.id,
                to: newDefinition.isEmpty ? nil : newDefinition,
                limit: Self.maximumOwnSecureStrings
            )
            guard isTaken else {
                throw AuthorityError(
                    .tooManySecureStrings,
                    "the installation has defined as many secure strings as it may"
                )
            }
        }
        if let own = try await store.secureString(key, installation: installation.id) { return own }
        guard let secret = try await store.secureString(key, account: account.id) else {
            throw AuthorityError(.unknownStringKey, "there is no secure string under the key")
        }
        return secret
    }

    /// Defines a secure string of an account, as its operator; nil deletes it.
    ///
    /// Every installation reads it that has not defined one of the same name for itself.
    ///
    /// - Throws: ``AuthorityError`` with code `unknownAccount`, `invalidStringKey`, `secureStringTooLong` or
    ///   `storeFailed`.
    public func setSecureString(
        _ key: String,
        account: String,
        to secret: String?
    ) async throws(AuthorityError) {
        try Self.check(key, secret)
        _ = try await self.account(account)
        try await store.setSecureString(key, account: account, to: secret)
    }

    private static func check(_ key: String, _ secret: String?) throws(AuthorityError) {
        guard (1...maximumStringKeyLength).contains(key.utf8.count) else {
            throw AuthorityError(
                .invalidStringKey,
                "the key is not 1 to \(maximumStringKeyLength) octets long"
            )
        }
        guard secret?.utf8.count ?? 0 <= maximumSecureStringLength else {
            throw AuthorityError(
                .secureStringTooLong,
                "the secret is longer than \(maximumSecureStringLength) octets"
            )
        }
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
