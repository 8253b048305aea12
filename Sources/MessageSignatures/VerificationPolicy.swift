/// What a verifier demands of a signature beyond that it is right (RFC 9421, sections 1.4 and 3.2.1).
public struct VerificationPolicy: Sendable {
    /// The components that must be covered.
    public var requiredComponents: [ComponentIdentifier]
    /// The parameters that must be there, by their names.
    public var requiredParameters: Set<String> = []
    /// The parameters that must not be there, by their names.
    public var forbiddenParameters: Set<String> = []
    /// The tag that the signature must carry; nil takes any and none.
    public var requiredTag: String?
    /// How old a signature may be, in seconds; nil takes any age.
    ///
    /// With an age, `created` must be there.
    public var maximumAge: Int64?
    /// How far the clocks of the two sides may differ, in seconds.
    public var clockSkew: Int64 = 0
    /// The algorithms that keys may have.
    public var allowedAlgorithms = Set(MessageSignatureAlgorithm.allCases)
    /// The keys that are trusted here, by `keyid`; nil trusts every key that the lookup gives.
    public var trustedKeyIdentifiers: Set<String>?
    /// Whether a nonce is new, asked once everything else is right; nil asks nothing.
    ///
    /// With it, `nonce` must be there, and without ``maximumAge`` also `expires`, for nobody remembers a nonce for ever.
    /// Whoever answers must also record the nonce in one step, or two messages at the same time both pass, and must keep it
    /// until ``NonceUse/acceptedUntil``.
    public var isNonceNew: (@Sendable (_ use: NonceUse) throws -> Bool)?
    /// The weakest digest that counts for covered content.
    public var minimumDigest = DigestAlgorithm.sha256
    /// Whether a covered `Content-Digest` is compared with the content; whoever turns it off must do it alone.
    public var checksContentDigest = true
    /// Whether a covered `Repr-Digest` is compared with content that is a whole representation without a coding: that of a
    /// request, or of a response with status 200, and neither `Content-Range` nor `Content-Encoding`.
    ///
    /// Where it was not compared, ``VerifiedMessage/isRepresentationVerified`` is false: whoever counts on it must look, for
    /// those two fields can be added by anybody where the signature does not cover them.
    public var checksReprDigest = true
    /// Scheme and authority as clients see them, for a server behind a proxy; nil takes those of the message.
    public var externalOrigin: ExternalOrigin?
    /// Whether a signature may come as a string of Base 64, as some peers send it against RFC 9421, section 4.2.
    public var acceptsStringSignatures = false
    /// Whether the signatures stand in the trailers; those of the header are then not looked at.
    public var readsTrailers = false
    /// The structured fields that are known.
    public var fieldTypes = FieldTypes.standard
    /// How much of a message is taken.
    public var limits = SignatureLimits()

    /// Makes a policy.
    ///
    /// - Parameter requiredComponents: The components that must be covered. With none, a signature over nothing passes.
    public init(requiredComponents: [ComponentIdentifier]) {
        self.requiredComponents = requiredComponents
    }
}
