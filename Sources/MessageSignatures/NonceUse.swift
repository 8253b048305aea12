/// A nonce of a signature that is right in all else, and when that signature can be taken: what a store of nonces is asked.
public struct NonceUse: Sendable, Hashable {
    /// The nonce.
    public let nonce: String
    /// Whose it is: the `keyid` of the signature, or the installation where its token names it; nil when nothing does.
    public let owner: String?
    /// When the signature was made by the clock of whoever made it, in seconds since 1970; nil when it does not say.
    public let created: Int64?
    /// The last second in which the signature can be taken, since 1970: so long the nonce must be remembered.
    public let acceptedUntil: Int64

    /// Makes a value, for a test of a store.
    public init(nonce: String, owner: String?, created: Int64?, acceptedUntil: Int64) {
        self.nonce = nonce
        self.owner = owner
        self.created = created
        self.acceptedUntil = acceptedUntil
    }

    /// Both uses in one, of one nonce that two signatures of a message share.
    package func joined(with other: NonceUse) -> NonceUse {
        NonceUse(
            nonce: nonce,
            owner: owner,
            created: created.flatMap { own in other.created.map { min(own, $0) } },
            acceptedUntil: max(acceptedUntil, other.acceptedUntil)
        )
    }
}

extension VerificationPolicy {
    /// The use of the nonce of a signature that this policy took; nil for a signature without one.
    package func nonceUse(of parameters: SignatureParameters, by owner: String?) -> NonceUse? {
        guard let nonce = parameters.nonce else { return nil }
        let byAge = maximumAge.flatMap { age in
            parameters.created.map { Self.later($0, by: Self.later(age, by: clockSkew)) }
        }
        let byEnd = parameters.expires.map { Self.later($0, by: clockSkew) }
        return NonceUse(
            nonce: nonce,
            owner: owner,
            created: parameters.created,
            acceptedUntil: [byAge, byEnd].compactMap(\.self).min() ?? .max
        )
    }

    private static func later(_ time: Int64, by seconds: Int64) -> Int64 {
        let (end, isTooLate) = time.addingReportingOverflow(seconds)
        return isTooLate ? .max : end
    }
}
