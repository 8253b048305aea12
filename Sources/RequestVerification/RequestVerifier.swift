import Cryptography
import Encodings
public import HTTPMessages
public import JSONWebTokens
public import Timing

/// What a backend runs on each request: token, expiry, binding and message signatures in one call.
///
/// ```swift
/// let verifier = try RequestVerifier(keys: keys, policy: .init(issuer: "https://authority.example", audience: "api.example.com"))
/// let verified = try verifier.verify(request)
/// ```
public struct RequestVerifier: Sendable {
    /// What a request must prove.
    public struct Policy: Sendable {
        /// The `iss` claim that a token must have; nil takes any.
        public var issuer: String?
        /// The `aud` claim that a token must have: the host of this API.
        public var audience: String
        /// The field that carries the token.
        public var tokenHeader: HTTPField.Name
        /// What stands before the token, for example "Bearer ".
        public var tokenPrefix: String
        /// The fields that tokens are bound to, in the order that the clients use.
        ///
        /// With none, a token that is bound to anything is refused, unless ``ignoresBinding`` says otherwise.
        public var bindingHeaders: [HTTPField.Name]
        /// Whether bound tokens are taken without a look at what they are bound to, when there are no ``bindingHeaders``.
        ///
        /// It is for a backend that compares the claim `pay` itself, with data that clients bind by other means than fields.
        public var ignoresBinding = false
        /// What is demanded of message signatures; nil does not look at them.
        public var messageSignatures: MessageSignaturePolicy?
        /// By how much the clocks of the authority and this machine may differ, in whole seconds.
        public var leeway: Duration

        /// Makes a policy.
        public init(
            issuer: String?,
            audience: String,
            tokenHeader: HTTPField.Name = "Protection-Token",
            tokenPrefix: String = "",
            bindingHeaders: [HTTPField.Name] = [],
            messageSignatures: MessageSignaturePolicy? = nil,
            leeway: Duration = .zero
        ) {
            self.issuer = issuer
            self.audience = audience
            self.tokenHeader = tokenHeader
            self.tokenPrefix = tokenPrefix
            self.bindingHeaders = bindingHeaders
            self.messageSignatures = messageSignatures
            self.leeway = leeway
        }
    }

    private let policy: Policy
    private let verifier: TokenVerifier
    private let time: TimeSource

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - keys: The authority's keys.
    ///   - policy: What a request must prove.
    ///   - time: Where the verifier gets its time.
    /// - Throws: `TokenError` when a key is not one that verifies.
    public init(keys: JSONWebKeySet, policy: Policy, time: TimeSource = .system) throws(TokenError) {
        self.policy = policy
        self.time = time
        var verifier = try TokenVerifier(keys: keys, issuer: policy.issuer, audience: policy.audience)
        verifier.acceptedTypes = ["JWT"]
        verifier.leeway = policy.leeway.components.seconds
        self.verifier = verifier
    }

    /// Verifies a request.
    ///
    /// - Parameters:
    ///   - request: The request as it came, with its content.
    ///   - requestTarget: What the first line says, for signatures that cover `@request-target`: a client may give a whole
    ///     URL there. Nil stands for path and query.
    /// - Returns: The proof that the request came from an installation that the authority vouches for.
    /// - Throws: ``VerificationError``, whose code says what was wrong and which status fits.
    public func verify(
        _ request: HTTPRequest,
        requestTarget: String? = nil
    ) throws(VerificationError) -> VerifiedRequest {
        let token = try verifyToken(in: request.fields)
        guard let signatures = policy.messageSignatures else {
            return VerifiedRequest(token: token, signatures: [])
        }
        let check = SignatureCheck(policy: signatures, tokenHeader: policy.tokenHeader, time: time)
        return VerifiedRequest(token: token, signatures: try check.verify(request, requestTarget, token))
    }

    /// Verifies token, expiry and binding alone, for a backend that has no more of a request than its fields.
    ///
    /// - Throws: As ``verify(_:requestTarget:)``, for what it looks at.
    public func verifyToken(in fields: HTTPFields) throws(VerificationError) -> VerifiedToken {
        let text = try token(in: fields)
        let token: VerifiedToken
        do {
            token = try verifier.verify(text, at: time.secondsSince1970)
        } catch {
            throw Self.refusal(error)
        }
        try checkBinding(of: token, to: fields)
        return token
    }

    private func token(in fields: HTTPFields) throws(VerificationError) -> String {
        let values = fields[values: policy.tokenHeader]
        guard let value = values.first else { throw VerificationError(.missingToken, "there is no token") }
        guard values.count == 1 else { throw VerificationError(.severalTokens, "there are several tokens") }
        guard value.hasPrefix(policy.tokenPrefix) else {
            throw VerificationError(.missingPrefix, "the token does not start with \(policy.tokenPrefix)")
        }
        let text = String(value.dropFirst(policy.tokenPrefix.count))
        guard !text.isEmpty else { throw VerificationError(.missingToken, "there is no token") }
        // A status is short and holds capitals and underscores alone, so it is safe to repeat; a token never looks so.
        if text.utf8.count <= 32, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x5F }) {
            throw VerificationError(.statusInsteadOfToken, "the client has no token: \(text)")
        }
        return text
    }

    private static func refusal(_ error: TokenError) -> VerificationError {
        let code: VerificationError.Code =
            switch error.code {
            case .expired: .expiredToken
            case .notYetValid, .issuedInTheFuture: .prematureToken
            case .wrongIssuer, .wrongAudience, .wrongType, .missingClaim: .unsuitableToken
            case .invalidSignature, .unknownKey, .ambiguousKey, .algorithmMismatch, .unsupportedAlgorithm:
                .untrustedToken
            case .cryptographyFailure: .unavailable
            default: .malformedToken
            }
        return VerificationError(code, "the token is refused", underlying: error)
    }

    /// The claim must say exactly what the request holds: a token that is bound to nothing is none for a request with
    /// credentials, and a bound one is none for a request without.
    private func checkBinding(of token: VerifiedToken, to fields: HTTPFields) throws(VerificationError) {
        let claim = token.claims["pay"]
        guard !policy.bindingHeaders.isEmpty else {
            guard claim == nil || policy.ignoresBinding else {
                throw VerificationError(
                    .bindingMismatch,
                    "the token is bound, and to no field that is known here"
                )
            }
            return
        }
        guard let bound = fields.bindingValue(of: policy.bindingHeaders) else {
            guard claim == nil else {
                throw VerificationError(
                    .missingBinding,
                    "the token is bound to fields that the request does not have"
                )
            }
            return
        }
        guard let hash = claim?.string else {
            throw VerificationError(.bindingMismatch, "the token is not bound to the request's credentials")
        }
        let expected: [UInt8]
        do {
            expected = try HashAlgorithm.sha256.hash(bound)
        } catch {
            throw VerificationError(.unavailable, "the binding cannot be computed", underlying: error)
        }
        guard ConstantTime.equal(Array(hash.utf8), Base64.standard.encodeToBytes(expected)) else {
            throw VerificationError(.bindingMismatch, "the token is bound to other credentials")
        }
    }
}
