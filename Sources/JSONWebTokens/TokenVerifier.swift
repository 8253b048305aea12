/// Checks tokens: signature, times, issuer, audience and type (RFC 7519, section 7.2; RFC 8725).
public struct TokenVerifier: Sendable {
    private var payloads: PayloadVerifier
    /// The issuer that tokens must have; nil takes any and none.
    public var issuer: String?
    /// The name under which tokens are meant for this verifier.
    ///
    /// Nil refuses tokens that have an `aud`, as RFC 7519, section 4.1.3 demands of whoever is not in it.
    public var audience: String?
    /// The values of `typ` that are taken, without `application/`; nil takes any and none.
    public var acceptedTypes: [String]?
    /// By how many seconds the clocks of issuer and verifier may differ.
    public var leeway: Int64 = 0
    /// Whether a token must have an `exp`.
    public var requiresExpiration = true
    /// The most octets that are read.
    public var maximumSize: Int {
        get { payloads.maximumSize }
        set { payloads.maximumSize = newValue }
    }

    /// Checks with a set of keys; a token's `kid` says which one.
    ///
    /// - Throws: ``TokenError`` with code `wrongKeyUse` when a key's `key_ops` has no `verify`.
    public init(keys: JSONWebKeySet, issuer: String? = nil, audience: String? = nil) throws(TokenError) {
        payloads = try PayloadVerifier(keys: keys)
        self.issuer = issuer
        self.audience = audience
    }

    /// Checks with one key; if it has no `kid`, a token may have any.
    ///
    /// - Throws: ``TokenError`` with code `wrongKeyUse` when the key's `key_ops` has no `verify`.
    public init(key: JSONWebKey, issuer: String? = nil, audience: String? = nil) throws(TokenError) {
        try self.init(keys: JSONWebKeySet([key]), issuer: issuer, audience: audience)
    }

    /// Checks a token.
    ///
    /// The signature comes first: nothing is read from claims that nobody vouches for.
    ///
    /// - Parameters:
    ///   - token: The compact serialization.
    ///   - now: The time, in seconds since 1970-01-01T00:00:00Z.
    /// - Returns: The proof that every check passed.
    /// - Throws: ``TokenError`` with a code of ``PayloadVerifier/verify(_:)``, or `invalidClaims`, `missingClaim`, `expired`,
    ///   `notYetValid`, `issuedInTheFuture`, `wrongIssuer`, `wrongAudience` or `wrongType`.
    public func verify(_ token: String, at now: Int64) throws(TokenError) -> VerifiedToken {
        let compact = try payloads.verifiedSerialization(token)
        try checkType(compact.header.type)
        let claims = try compact.claims()
        try checkTimes(claims, now)
        try checkIssuer(claims)
        try checkAudience(claims)
        return VerifiedToken(header: compact.header, claims: claims, compactText: token)
    }

    private func checkTimes(_ claims: TokenClaims, _ now: Int64) throws(TokenError) {
        // Saturating: a clock or leeway at the end of its range must not stop the program.
        let early = Self.add(now, leeway)
        let late = Self.add(now, -max(leeway, -Int64.max))
        if let expiration = claims.expiration {
            guard expiration > late else { throw TokenError(.expired, "the token is past its exp") }
        } else if requiresExpiration {
            throw TokenError(.missingClaim, "the token has no exp")
        }
        if let notBefore = claims.notBefore, notBefore > early {
            throw TokenError(.notYetValid, "the token is before its nbf")
        }
        if let issuedAt = claims.issuedAt, issuedAt > early {
            throw TokenError(.issuedInTheFuture, "the token's iat lies in the future")
        }
    }

    private func checkIssuer(_ claims: TokenClaims) throws(TokenError) {
        guard let issuer else { return }
        guard let actual = claims.issuer else { throw TokenError(.missingClaim, "the token has no iss") }
        guard actual.hasSameCharacters(as: issuer) else {
            throw TokenError(.wrongIssuer, "the token is from another issuer")
        }
    }

    private func checkAudience(_ claims: TokenClaims) throws(TokenError) {
        switch (audience, claims.audience) {
        case (nil, nil): return
        case (_?, nil): throw TokenError(.missingClaim, "the token has no aud")
        case (let audience, let names?):
            guard let audience, names.contains(where: { $0.hasSameCharacters(as: audience) }) else {
                throw TokenError(.wrongAudience, "the token is for somebody else")
            }
        }
    }

    private func checkType(_ type: String?) throws(TokenError) {
        guard let acceptedTypes else { return }
        let actual = type.map(Self.shortType)
        guard let actual, acceptedTypes.contains(where: { Self.shortType($0) == actual }) else {
            throw TokenError(.wrongType, "the header's typ is not one of those accepted")
        }
    }

    /// A media type without regard to case, and without the `application/` that may be left out (RFC 7515, section 4.1.9).
    private static func shortType(_ type: String) -> [UInt8] {
        let lower = type.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let prefix = Array("application/".utf8)
        let rest = lower.dropFirst(prefix.count)
        return lower.starts(with: prefix) && !rest.contains(UInt8(ascii: "/")) ? Array(rest) : lower
    }

    private static func add(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        guard overflow else { return sum }
        return right > 0 ? .max : .min
    }
}
