public import HTTPMessages
public import MessageSignatures
import StructuredFields

/// What the signatures of requests cover and say.
///
/// As it is made, it signs with the installation key, under the label `install`, and covers in this order `@method`,
/// `@target-uri`, the token, the trace identifier, `Authorization`, `Content-Length`, `Content-Type` and
/// `Content-Digest`, each as far as the request has it. The digest is made of every body, the length is stated of one in
/// memory. The parameters are `alg`, `created` and `expires`, fifteen seconds later.
///
/// ```swift
/// var factory = SignatureParametersFactory()
/// factory.keys = .both
/// factory.optionalHeaders.append("Accept")
/// factory.includesNonce = true
/// ```
public struct SignatureParametersFactory: Sendable, Hashable {
    /// The keys that sign.
    public enum Keys: Sendable, Hashable {
        /// The installation key: label `install`, algorithm `ecdsa-p256-sha256`.
        case installation
        /// The account key: label `account`, algorithm `hmac-sha256`.
        case account
        /// Both keys over the same components, the installation key first.
        case both
    }

    /// When a `Content-Digest` is made and covered (RFC 9530).
    public enum BodyDigest: Sendable, Hashable {
        /// Never: whoever changes the body is not found out.
        case none
        /// When the request has a body, be it empty.
        case ifPresent
        /// Always; a request without a body has the digest of no octets.
        case required
    }

    /// The keys that sign.
    public var keys = Keys.installation
    /// What is covered first; a component without a value stops the request.
    public var baseComponents: [ComponentIdentifier] = [.method, .targetURI]
    /// Whether the field of the token is covered.
    public var coversToken = true
    /// Whether the field of the trace identifier is covered, when the request has it.
    public var coversTraceID = true
    /// The fields that are covered when the request has them, in order.
    ///
    /// `Content-Length`, which the transport adds to what is sent, is added before when it is to be covered and the body is
    /// in memory. That of a file is not covered.
    public var optionalHeaders: [HTTPField.Name] = [.authorization, .contentLength, .contentType]
    /// When the body is covered.
    public var bodyDigest = BodyDigest.ifPresent
    /// The algorithm of the digest, and the weakest that counts when a request comes with a digest of its own.
    public var digestAlgorithm = DigestAlgorithm.sha256
    /// What the receiver prefers, say from its `Want-Content-Digest`; among the algorithms that are as strong as
    /// ``digestAlgorithm`` the one that it likes best is taken.
    public var digestPreferences: DigestPreferences?
    /// How much of a body that is a stream is taken into memory to be digested, in octets; a longer one is not sent.
    ///
    /// Without a digest a stream is sent as it is made.
    public var maximumStreamLength = 1 << 20
    /// Whether `alg` is stated.
    public var statesAlgorithm = true
    /// Whether `created` is stated.
    public var statesCreated = true
    /// How long after its creation a signature ends, in whole seconds, for `expires`; nil leaves it out.
    public var lifetime: Duration? = .seconds(15)
    /// Whether each signature has a nonce of 32 random octets, so that a backend can refuse a replay.
    public var includesNonce = false
    /// The name of the key, for `keyid`; the token names the keys already.
    public var keyIdentifier: String?
    /// What the signatures are for, for `tag`.
    public var tag: String?
    /// The structured fields that are known, for components with `sf` and `key`.
    public var fieldTypes = FieldTypes.standard
    /// How much is taken of the fields that are covered.
    public var limits = SignatureLimits()

    /// Makes a factory with the settings above.
    public init() {}

    /// The algorithm of a digest that is made here.
    var contentDigestAlgorithm: DigestAlgorithm {
        digestPreferences?.algorithm(atLeast: digestAlgorithm) ?? digestAlgorithm
    }

    /// States the length of a body in memory, as the transport would, when it is to be covered.
    func addContentLength(to request: inout HTTPRequest) throws(HTTPMessageError) {
        let name = HTTPField.Name.contentLength
        let covers = optionalHeaders.contains(name) || baseComponents.contains(.field(name))
        guard covers, let count = request.body?.bytes?.count, !request.fields.contains(name) else { return }
        try request.fields.append(String(count), for: name)
    }

    /// What a signature of a request covers.
    func components(of request: HTTPRequest, _ mutations: RequestMutations) -> [ComponentIdentifier] {
        var names: [HTTPField.Name] = []
        if coversToken, let name = mutations.tokenHeader { names.append(name) }
        if coversTraceID, let name = mutations.traceIDHeader, request.fields.contains(name) {
            names.append(name)
        }
        names += optionalHeaders.filter(request.fields.contains)
        if request.fields.contains(.contentDigest), bodyDigest != .none { names.append(.contentDigest) }
        // A header may be named twice, say as token header and as optional one; a component stands once.
        return (baseComponents + names.map { ComponentIdentifier.field($0) }).reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
    }

    /// The parameters of a signature that is made now.
    func parameters(
        _ algorithm: MessageSignatureAlgorithm,
        at time: Int64
    ) throws(SignatureError) -> SignatureParameters {
        var pairs: [(String, BareItem)] = []
        if statesAlgorithm { pairs.append(("alg", .string(algorithm.rawValue))) }
        if statesCreated { pairs.append(("created", .integer(time))) }
        if let lifetime {
            let (end, isTooLate) = time.addingReportingOverflow(lifetime.components.seconds)
            pairs.append(("expires", .integer(isTooLate ? .max : end)))
        }
        if includesNonce { pairs.append(("nonce", .string(try MessageSigner.randomNonce()))) }
        if let keyIdentifier { pairs.append(("keyid", .string(keyIdentifier))) }
        if let tag { pairs.append(("tag", .string(tag))) }
        return try SignatureParameters(pairs)
    }
}
