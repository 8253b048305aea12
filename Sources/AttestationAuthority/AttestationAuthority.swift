import Cryptography
import Encodings
import HTTPMessages
public import JSONWebTokens
public import Timing

/// The service that decides which installations are genuine, and mints the tokens that say so.
///
/// An installation enrols its public key once, and then proves with each call that it holds the private one: it signs
/// a nonce that the authority gave it, together with what it asks for (``InstallationProof``). In the terms of RFC 9334
/// the authority is the verifier, the installation the attester, and a backend that checks tokens the relying party.
///
/// The authority itself keeps nothing: all state is in the ``AuthorityStore``, so several may run on one.
public struct AttestationAuthority: Sendable {
    /// The `iss` claim of its tokens.
    public let issuer: String
    /// How long a nonce is good, in whole seconds, at least one.
    public let nonceLifetime: Duration
    private let signer: TokenSigner
    let customSigner: TokenSigner
    let store: any AuthorityStore
    let time: TimeSource

    /// The `typ` of a custom JWT, which is none of a token: a verifier of tokens refuses it (RFC 8725, section 3.11).
    public static let customTokenType = "custom+jwt"

    /// Makes an authority.
    ///
    /// - Parameters:
    ///   - issuer: The `iss` claim of its tokens.
    ///   - signingKey: The key that tokens are signed with; backends need it, or its public half.
    ///   - store: What the authority remembers.
    ///   - time: Where the authority gets its time.
    ///   - nonceLifetime: How long a nonce is good.
    /// - Throws: `TokenError` when the key cannot sign.
    public init(
        issuer: String,
        signingKey: JSONWebKey,
        store: any AuthorityStore,
        time: TimeSource = .system,
        nonceLifetime: Duration = .seconds(60)
    ) throws(TokenError) {
        self.issuer = issuer
        self.nonceLifetime = nonceLifetime
        self.store = store
        self.time = time
        signer = try TokenSigner(key: signingKey, type: "JWT")
        customSigner = try TokenSigner(key: signingKey, type: Self.customTokenType)
    }

    // MARK: - Accounts

    /// Adds an account.
    ///
    /// - Throws: ``AuthorityError`` with code `invalidAccount`, `accountExists` or `storeFailed`.
    public func addAccount(_ account: Account) async throws(AuthorityError) {
        // The identifier stands in lines that installations sign, so it must not hold a line break.
        guard !account.id.isEmpty, account.id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw AuthorityError(.invalidAccount, "an account identifier is a text of visible ASCII")
        }
        guard try await store.addAccount(account) else {
            throw AuthorityError(.accountExists, "the account is there already")
        }
    }

    /// The hash under which an ``Account`` keeps a development key: SHA-256, in hexadecimal.
    ///
    /// - Throws: ``AuthorityError`` with code `signingFailed` when the key cannot be hashed.
    public static func developmentKeyHash(_ key: String) throws(AuthorityError) -> String {
        Hex.encode(try hash(key))
    }

    // MARK: - Installations

    /// Gives out a nonce: 32 random octets in base64url, for one call within ``nonceLifetime``.
    ///
    /// - Throws: ``AuthorityError`` with code `unknownAccount`, `signingFailed` without randomness, or `storeFailed`.
    public func makeNonce(account: String) async throws(AuthorityError) -> String {
        _ = try await self.account(account)
        let nonce = Base64.url.encode(try random(32))
        let now = time.secondsSince1970
        try await store.addNonce(
            nonce,
            account: account,
            endsAt: now + max(1, nonceLifetime.components.seconds),
            now: now
        )
        return nonce
    }

    /// Enrols an installation by its public key.
    ///
    /// - Parameters:
    ///   - account: The account that it belongs to.
    ///   - publicKey: A P-256 SubjectPublicKeyInfo in DER.
    ///   - nonce: A nonce of the account.
    ///   - proof: ECDSA over ``InstallationProof/enrollment(account:nonce:publicKey:)``, 64 octets.
    /// - Returns: The new installation.
    /// - Throws: ``AuthorityError`` with code `unknownAccount`, `invalidNonce`, `invalidKey`, `invalidProof`, `signingFailed`
    ///   without randomness, or `storeFailed`.
    public func enroll(
        account: String,
        publicKey: [UInt8],
        nonce: String,
        proof: [UInt8]
    ) async throws(AuthorityError) -> Installation {
        _ = try await self.account(account)
        try await take(nonce, of: account)
        try verify(
            proof,
            of: .enrollment(account: account, nonce: nonce, publicKey: publicKey),
            with: publicKey
        )
        let installation = Installation(
            id: Base64.standard.encode(try random(16)),
            account: account,
            publicKey: publicKey,
            enrolledAt: time.secondsSince1970
        )
        try await store.addInstallation(installation)
        return installation
    }

    /// Lets an installation pass in an account that admits only approved ones, or no longer.
    ///
    /// - Throws: ``AuthorityError`` with code `unknownInstallation` or `storeFailed`.
    public func setApproval(_ isApproved: Bool, installation id: String) async throws(AuthorityError) {
        try await update(id) { $0.isApproved = isApproved }
    }

    /// Shuts an installation out, or lets it in again.
    ///
    /// - Throws: ``AuthorityError`` with code `unknownInstallation` or `storeFailed`.
    public func setRevocation(_ isRevoked: Bool, installation id: String) async throws(AuthorityError) {
        try await update(id) { $0.isRevoked = isRevoked }
    }

    /// How an attestation ended, by its response code.
    ///
    /// - Throws: ``AuthorityError`` with code `storeFailed`.
    public func attestation(arc: String) async throws(AuthorityError) -> Attestation? {
        try await store.attestation(arc: arc)
    }

    // MARK: - Tokens

    /// Mints a token for an installation that attests.
    ///
    /// - Parameters:
    ///   - access: Who asks, with a proof over ``InstallationProof/token(account:installation:nonce:audience:dataHash:)``.
    ///   - audience: The host that the token is for.
    ///   - dataHash: The SHA-256 of what the token is bound to, or nil.
    /// - Returns: The token, good for the account's ``Account/tokenLifetime``.
    /// - Throws: ``AuthorityError``; with code `rejected` it carries the response code and the reasons.
    public func mintToken(
        _ access: InstallationAccess,
        audience: String,
        dataHash: [UInt8]?
    ) async throws(AuthorityError) -> TokenGrant {
        guard dataHash?.count ?? 32 == 32 else {
            throw AuthorityError(.invalidDataHash, "a data hash is 32 octets long")
        }
        let account = try await account(access.account)
        guard account.protectedHosts.contains(where: { $0.matches(audience) }) else {
            throw AuthorityError(.unknownAudience, "the account does not protect the audience")
        }
        let (installation, arc) = try await attest(
            access,
            in: account,
            proof: .token(
                account: account.id,
                installation: access.installation,
                nonce: access.nonce,
                audience: audience,
                dataHash: dataHash
            )
        )
        let now = time.secondsSince1970
        var claims = TokenClaims()
        claims.issuer = issuer
        claims.audience = [audience]
        claims.subject = "\(account.id)|\(installation.id)"
        claims.issuedAt = now
        claims.expiration = now + max(1, account.tokenLifetime.components.seconds)
        claims["did"] = .string(installation.id)
        claims["ipk"] = .string(Base64.standard.encode(installation.publicKey))
        if let key = try await store.accountKeys(account: account.id, now: now).first {
            claims["mskid"] = .string(key.id)
        }
        claims["arc"] = .string(arc)
        if let address = access.clientAddress { claims["ip"] = .string(address) }
        if let dataHash { claims["pay"] = .string(Base64.standard.encode(dataHash)) }
        return TokenGrant(
            token: try sign(claims, with: signer),
            endsAt: now + max(1, account.tokenLifetime.components.seconds),
            arc: arc,
            traceID: Hex.encode(try random(16)),
            loggableForm: String(decoding: claims.members.serialized(), as: UTF8.self)
        )
    }

    func account(_ id: String) async throws(AuthorityError) -> Account {
        guard let account = try await store.account(id) else {
            throw AuthorityError(.unknownAccount, "there is no such account")
        }
        return account
    }

    func installation(_ id: String) async throws(AuthorityError) -> Installation {
        guard let installation = try await store.installation(id) else {
            throw AuthorityError(.unknownInstallation, "there is no such installation in the account")
        }
        return installation
    }

    /// Changes an installation, again from its present state when another change came between.
    private func update(
        _ id: String,
        _ change: (inout Installation) -> Void
    ) async throws(AuthorityError) {
        for _ in 0..<Self.maximumRounds {
            try Self.checkCancellation()
            let present = try await installation(id)
            var changed = present
            change(&changed)
            if try await store.updateInstallation(changed, ifStill: present) { return }
        }
        throw Self.contended
    }

    /// How often a change is tried that others come before; a store that never takes one must not hold its caller.
    static let maximumRounds = 128

    static func checkCancellation() throws(AuthorityError) {
        guard !Task.isCancelled else {
            throw AuthorityError(.storeFailed, "the change was cancelled", underlying: CancellationError())
        }
    }

    static var contended: AuthorityError {
        AuthorityError(.storeFailed, "the installation was changed by others each time")
    }

    func sign(_ claims: TokenClaims, with signer: TokenSigner) throws(AuthorityError) -> String {
        do {
            return try signer.sign(claims)
        } catch {
            throw AuthorityError(.signingFailed, "the token could not be signed", underlying: error)
        }
    }

    func random(_ count: Int) throws(AuthorityError) -> [UInt8] {
        do {
            return try RandomBytes.generate(count: count)
        } catch {
            throw AuthorityError(.signingFailed, "no random octets", underlying: error)
        }
    }

    static func hash(_ text: String) throws(AuthorityError) -> [UInt8] {
        do {
            return try HashAlgorithm.sha256.hash(Array(text.utf8))
        } catch {
            throw AuthorityError(.signingFailed, "no hash", underlying: error)
        }
    }
}
