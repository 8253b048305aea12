internal import Cryptography
internal import Encodings
public import HTTPMessages
internal import StructuredFields

/// Signs requests and responses (RFC 9421, section 3.1).
///
/// ```swift
/// var signer = MessageSigner(key: key, label: "sig1", components: [.method, .authority, .path], now: now)
/// signer.keyIdentifier = "client-1"
/// let signed = try signer.sign(request)
/// ```
///
/// A component that has no value stops the signing; so does a covered `Content-Digest` that is not the one of the
/// content.
public struct MessageSigner: Sendable {
    /// The key and its algorithm.
    public var key: MessageSigningKey
    /// The label of the signatures.
    public var label: String
    /// What is covered, in order.
    public var components: [ComponentIdentifier] {
        get { list.identifiers }
        set { list = ComponentList(newValue) }
    }
    /// The name of the key, for `keyid`; nil leaves it out.
    public var keyIdentifier: String?
    /// What the signatures are for, for `tag`; nil leaves it out.
    public var tag: String?
    /// How long a signature holds, in seconds, for `expires`; nil leaves it out.
    public var lifetime: Int64?
    /// Whether `created` is stated; without it a verifier cannot tell the age.
    public var statesCreated = true
    /// Whether `alg` is stated; verifiers know it from the key.
    public var statesAlgorithm = false
    /// Makes the value of `nonce`; nil leaves it out.
    public var makeNonce: (@Sendable () throws -> String)?
    /// The structured fields that are known.
    public var fieldTypes = FieldTypes.standard
    /// How much is taken of the fields that are there already.
    public var limits = SignatureLimits()
    /// Whether a covered `Content-Digest` is compared with the content before it is vouched for.
    public var checksContentDigest = true
    /// Whether the two fields are to go into the trailers, so that only the labels there are taken.
    ///
    /// An `HTTPRequest` has none, so it cannot be signed then.
    public var signsInTrailers = false
    /// What a peer asked for, in its order; empty when nobody did.
    var wished: Parameters = [:]
    private let now: @Sendable () -> Int64
    private(set) var list: ComponentList

    /// Makes a signer.
    ///
    /// - Parameters:
    ///   - key: The key and its algorithm.
    ///   - label: The label of the signatures.
    ///   - components: What is covered, in order.
    ///   - now: The time in seconds since 1970.
    public init(
        key: MessageSigningKey,
        label: String,
        components: [ComponentIdentifier],
        now: @escaping @Sendable () -> Int64
    ) {
        self.key = key
        self.label = label
        list = ComponentList(components)
        self.now = now
    }

    /// A nonce of 32 random octets in base64url.
    @Sendable public static func randomNonce() throws(SignatureError) -> String {
        do throws(CryptographyError) {
            return Base64.url.encode(try RandomBytes.generate(count: 32))
        } catch {
            throw SignatureError(.cryptographyFailure, "there is no randomness", underlying: error)
        }
    }

    /// Signs a request and gives it back with the two fields.
    ///
    /// - Throws: ``SignatureError`` when a component has no value or the signature cannot be made; `trailersUnavailable`
    ///   with ``signsInTrailers``.
    public func sign(_ request: HTTPRequest) throws(SignatureError) -> HTTPRequest {
        try checkHeaderIsMeant()
        var signed = request
        try add(try signature(of: SignableMessage(request)), to: &signed.fields)
        return signed
    }

    /// Signs a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request that it answers, for components with `req`.
    /// - Returns: The response with the two fields, which stand in its trailers when ``signsInTrailers`` says so.
    /// - Throws: ``SignatureError`` when a component has no value or the signature cannot be made; `contentUnavailable`
    ///   for a covered digest of content that comes as a stream.
    public func sign(
        _ response: HTTPResponse,
        answering request: HTTPRequest?
    ) throws(SignatureError) -> HTTPResponse {
        var signed = response
        let signature = try signature(of: SignableMessage(response, answering: request))
        if signsInTrailers {
            try add(signature, to: &signed.trailers)
        } else {
            try add(signature, to: &signed.fields)
        }
        return signed
    }

    /// Makes a signature with the parameters that the signer is set to.
    ///
    /// - Throws: ``SignatureError`` when a component has no value or the signature cannot be made.
    public func signature(of message: SignableMessage) throws(SignatureError) -> MessageSignature {
        try signature(of: message, checksContentDigest: checksContentDigest)
    }

    /// Makes a signature with other parameters, in their order.
    ///
    /// - Throws: ``SignatureError``: `algorithmMismatch` or `unknownAlgorithm` for an `alg` that is not the key's,
    ///   those of ``SignatureDraft``, and `cryptographyFailure`.
    public func signature(
        of message: SignableMessage,
        parameters: SignatureParameters
    ) throws(SignatureError) -> MessageSignature {
        try parameters.check(for: key.algorithm)
        return try signature(
            of: message,
            checksContentDigest: checksContentDigest,
            writeParameters: parameters.all.append(to:)
        )
    }

    /// Makes a signature whose parameters are written without being put together before.
    func signature(
        of message: SignableMessage,
        checksContentDigest: Bool
    ) throws(SignatureError) -> MessageSignature {
        let time = now()
        let created = statesCreated ? time : nil
        let expires = lifetime.map { lifetime in
            let (end, isTooLate) = time.addingReportingOverflow(lifetime)
            return isTooLate ? .max : end
        }
        let nonce: String?
        do {
            nonce = try makeNonce?()
        } catch {
            throw SignatureError(.callbackFailure, "the nonce could not be made", underlying: error)
        }
        try SignatureParameters.checkTimes(created: created, expires: expires)
        guard wished.isEmpty else {
            let parameters = wishedParameters(created: created, expires: expires, nonce: nonce)
            return try signature(
                of: message,
                checksContentDigest: checksContentDigest,
                writeParameters: parameters.append(to:)
            )
        }
        let algorithm = statesAlgorithm ? key.algorithm.rawValue : nil
        // Taken up before, so that the closure does not copy the whole signer.
        let (keyIdentifier, tag) = (keyIdentifier, tag)
        return try signature(of: message, checksContentDigest: checksContentDigest) {
            octets throws(StructuredFieldError) in
            if let created { try octets.writeParameter("created", .integer(created)) }
            if let expires { try octets.writeParameter("expires", .integer(expires)) }
            if let nonce { try octets.writeParameter("nonce", .string(nonce)) }
            if let algorithm { try octets.writeParameter("alg", .string(algorithm)) }
            if let keyIdentifier { try octets.writeParameter("keyid", .string(keyIdentifier)) }
            if let tag { try octets.writeParameter("tag", .string(tag)) }
        }
    }

    private func signature(
        of message: SignableMessage,
        checksContentDigest: Bool,
        writeParameters: (inout OctetWriter) throws(StructuredFieldError) -> Void
    ) throws(SignatureError) -> MessageSignature {
        let draft = try SignatureDraft(
            label: label,
            covering: list,
            of: message,
            types: fieldTypes,
            limits: limits,
            isForTrailers: signsInTrailers,
            checksContentDigest: checksContentDigest,
            writeParameters: writeParameters
        )
        return draft.completed(with: try key.sign(draft.base.octets))
    }

    func checkHeaderIsMeant() throws(SignatureError) {
        guard !signsInTrailers else {
            throw SignatureError(.trailersUnavailable, "a request has no trailers for its signature")
        }
    }

    func add(
        _ signature: MessageSignature,
        to fields: inout HTTPFields
    ) throws(SignatureError) {
        do throws(HTTPMessageError) {
            try signature.add(to: &fields)
        } catch {
            throw SignatureError(
                .malformedSignature,
                "the message cannot hold the signature",
                underlying: error
            )
        }
    }
}
