internal import StructuredFields

/// Verifies the signatures of messages against a policy (RFC 9421, section 3.2).
///
/// ```swift
/// var policy = VerificationPolicy(requiredComponents: [.method, .authority, .path, .contentDigest])
/// policy.maximumAge = 300
/// let verifier = MessageVerifier(policy: policy, now: now) { keyIdentifier in keys[keyIdentifier ?? ""] }
/// let verified = try verifier.verify(SignableMessage(request))
/// ```
///
/// The algorithm is the one of the key, never what the message says. The cheap checks come first and the nonce last, so
/// that nobody without the key can use a nonce up.
public struct MessageVerifier: Sendable {
    /// What is demanded.
    public var policy: VerificationPolicy
    private let key: @Sendable (_ keyIdentifier: String?) throws -> MessageVerificationKey?
    private let now: @Sendable () -> Int64

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - policy: What is demanded.
    ///   - now: The time in seconds since 1970.
    ///   - key: The key of a `keyid`, or of a signature that gives none; nil when there is no such key.
    public init(
        policy: VerificationPolicy,
        now: @escaping @Sendable () -> Int64,
        key: @escaping @Sendable (_ keyIdentifier: String?) throws -> MessageVerificationKey?
    ) {
        self.policy = policy
        self.now = now
        self.key = key
    }

    /// The labels of the signatures that a message carries, in order; none of them is verified.
    ///
    /// - Throws: ``SignatureError`` when the fields cannot be parsed.
    public func labels(in message: SignableMessage) throws(SignatureError) -> [String] {
        guard let fields = try signatureFields(of: message) else { return [] }
        return fields.inputs.map(\.key)
    }

    /// Verifies one signature of a message.
    ///
    /// - Parameters:
    ///   - message: The message as it came.
    ///   - label: The label of the signature. Without one the message must carry only one signature, or only one with the
    ///     tag that the policy requires.
    /// - Returns: What was verified.
    /// - Throws: ``SignatureError`` with the code of the first check that fails.
    public func verify(
        _ message: SignableMessage,
        label: String? = nil
    ) throws(SignatureError) -> VerifiedMessage {
        guard let fields = try signatureFields(of: message) else {
            throw SignatureError(.unsignedMessage, "the message carries no signature")
        }
        let label = if let label { label } else { try soleLabel(of: fields) }
        let (input, signature) = try fields.entry(label, acceptingStrings: policy.acceptsStringSignatures)
        let components = try input.componentIdentifiers(.malformedSignatureInput, limits: policy.limits)
        let list = ComponentList(components)
        try list.checkNotCovering(label, inTrailers: policy.readsTrailers)
        let parameters = try SignatureParameters(input.parameters)
        try check(components, parameters)
        try checkTime(parameters)
        let key = try findKey(parameters)
        let message = message.seen(from: policy.externalOrigin)
        let base = try SignatureBase(
            covering: list,
            of: message,
            types: policy.fieldTypes,
            limits: policy.limits,
            writeParameters: parameters.all.append(to:)
        )
        try key.verify(signature, over: base.octets)
        let digests = DigestCheck(minimum: policy.minimumDigest, limits: policy.limits)
        var (isContentVerified, isRepresentationVerified) = (false, false)
        if policy.checksContentDigest {
            isContentVerified = try digests.check(.contentDigest, in: components, of: message)
        }
        if policy.checksReprDigest {
            isRepresentationVerified = try digests.check(.reprDigest, in: components, of: message)
        }
        try checkNonce(parameters)
        return VerifiedMessage(
            label: label,
            components: base.components,
            parameters: parameters,
            algorithm: key.algorithm,
            isContentVerified: isContentVerified,
            isRepresentationVerified: isRepresentationVerified
        )
    }

    private func signatureFields(of message: SignableMessage) throws(SignatureError) -> SignatureFields? {
        try SignatureFields(message, inTrailers: policy.readsTrailers, limits: policy.limits)
    }

    /// The one label that can be meant.
    private func soleLabel(of fields: SignatureFields) throws(SignatureError) -> String {
        var labels = fields.inputs.map(\.key)
        if labels.count > 1, let tag = policy.requiredTag {
            labels = labels.filter { fields.inputs[$0]?.parameters["tag"]?.string == tag }
            guard !labels.isEmpty else {
                throw SignatureError(.tagMismatch, "no signature carries the tag that is required")
            }
        }
        guard let label = labels.first else {
            throw SignatureError(.unsignedMessage, "the message carries no signature")
        }
        guard labels.count == 1 else {
            throw SignatureError(.ambiguousLabel, "the message carries several signatures")
        }
        return label
    }

    private func check(
        _ components: [ComponentIdentifier],
        _ parameters: SignatureParameters
    ) throws(SignatureError) {
        let covered = Set(components)
        for component in policy.requiredComponents where !covered.contains(component) {
            throw component.fault(.requiredComponentMissing, "the component must be covered")
        }
        var required = policy.requiredParameters
        if policy.maximumAge != nil { required.insert("created") }
        if policy.isNonceNew != nil {
            required.insert("nonce")
            if policy.maximumAge == nil { required.insert("expires") }
        }
        guard required.allSatisfy({ parameters.all[$0] != nil }) else {
            throw SignatureError(.requiredParameterMissing, "a parameter that is required is not there")
        }
        guard policy.forbiddenParameters.allSatisfy({ parameters.all[$0] == nil }) else {
            throw SignatureError(.forbiddenParameter, "a parameter that is forbidden is there")
        }
        if let tag = policy.requiredTag, parameters.tag != tag {
            throw SignatureError(.tagMismatch, "the tag is not the one that is required")
        }
    }

    private func checkTime(_ parameters: SignatureParameters) throws(SignatureError) {
        let now = now()
        if let created = parameters.created {
            guard created - now <= policy.clockSkew else {
                throw SignatureError(.createdInFuture, "the signature was created later than now")
            }
            if let age = policy.maximumAge {
                let (limit, isEndless) = age.addingReportingOverflow(policy.clockSkew)
                guard isEndless || now - created <= limit else {
                    throw SignatureError(.tooOld, "the signature is too old")
                }
            }
        }
        if let expires = parameters.expires, now - expires > policy.clockSkew {
            throw SignatureError(.expired, "the signature has expired")
        }
    }

    private func findKey(
        _ parameters: SignatureParameters
    ) throws(SignatureError) -> MessageVerificationKey {
        let identifier = parameters.keyIdentifier
        if let trusted = policy.trustedKeyIdentifiers {
            guard let identifier, trusted.contains(identifier) else { throw Self.unknownKey }
        }
        let found: MessageVerificationKey?
        do {
            found = try key(identifier)
        } catch {
            throw SignatureError(.callbackFailure, "the key lookup failed", underlying: error)
        }
        guard let found else { throw Self.unknownKey }
        try parameters.check(for: found.algorithm)
        guard policy.allowedAlgorithms.contains(found.algorithm) else {
            throw SignatureError(.algorithmNotAllowed, "the algorithm of the key is not allowed")
        }
        return found
    }

    private func checkNonce(_ parameters: SignatureParameters) throws(SignatureError) {
        guard let isNonceNew = policy.isNonceNew,
            let use = policy.nonceUse(of: parameters, by: parameters.keyIdentifier)
        else { return }
        let isNew: Bool
        do {
            isNew = try isNonceNew(use)
        } catch {
            throw SignatureError(.callbackFailure, "the nonce lookup failed", underlying: error)
        }
        guard isNew else { throw SignatureError(.nonceReused, "the nonce was seen before") }
    }

    private static var unknownKey: SignatureError {
        SignatureError(.unknownKey, "there is no trusted key for the signature")
    }
}
