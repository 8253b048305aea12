public import Cryptography
public import HTTPMessages
public import MessageSignatures

/// What a backend demands of the message signatures of a request (RFC 9421).
///
/// The keys are those that the token names: `ipk` for the label `install`, `mskid` for the label `account`. Signatures
/// under other labels are not looked at.
public struct MessageSignaturePolicy: Sendable {
    /// The key that made a signature.
    public enum Signer: String, Sendable, Hashable, CaseIterable {
        /// The installation key, by ECDSA over P-256.
        case installation = "install"
        /// The account key, by HMAC.
        case account
    }

    /// The signatures that must be there; with none, those that are there are verified, and a request without any passes.
    public var required: Set<Signer>
    /// What each signature must cover, beside the field of the token; by default the method and the URL.
    public var requiredComponents: [ComponentIdentifier] = [.method, .targetURI]
    /// The fields that each signature must cover when the request has them; by default `Authorization`.
    public var coveredIfPresent: [HTTPField.Name] = [.authorization]
    /// Whether each signature must cover a digest of the content when the request has any; by default it must.
    public var coversContent = true
    /// How old a signature may be, in whole seconds, by default 60; nil takes any age up to its `expires`, which must then be there.
    public var maximumAge: Duration? = .seconds(60)
    /// How far the clocks of the two sides may differ, in whole seconds; by default 5.
    public var clockSkew: Duration = .seconds(5)
    /// Whether a nonce of an installation is new, asked once all else is right in all signatures; nil asks nothing.
    ///
    /// With it, every signature must have a nonce. One that several signatures of a request share is asked for once, until
    /// the last of them ends. Its owner is the installation that the token names. Whoever answers must also record the nonce
    /// in one step, and keep it until `NonceUse.acceptedUntil`. ``NonceCache/insert(_:)`` is one for a single process.
    public var isNonceNew: (@Sendable (_ use: NonceUse) throws -> Bool)?
    /// The account key of an identifier; nil when there is none.
    ///
    /// Without it, signatures of account keys are passed over, unless ``required`` names them, which then refuses all.
    public var accountKey: (@Sendable (_ identifier: String) throws -> HMACKey?)?
    /// Scheme and authority as clients see them, for a backend behind a proxy; nil takes those of the request.
    public var externalOrigin: ExternalOrigin?
    /// Whether a signature may come as a string, as some peers send it against RFC 9421, section 4.2; by default not.
    public var acceptsStringSignatures = false
    /// The tag that each signature must carry; nil, the default, takes any and none.
    public var requiredTag: String?
    /// The weakest digest that counts for covered content; by default SHA-256.
    public var minimumDigest = DigestAlgorithm.sha256
    /// The structured fields that are known; by default `FieldTypes.standard`.
    public var fieldTypes = FieldTypes.standard
    /// How much of a request is taken.
    public var limits = SignatureLimits()

    /// Makes a policy.
    ///
    /// - Parameter required: The signatures that must be there.
    public init(required: Set<Signer>) {
        self.required = required
    }
}
