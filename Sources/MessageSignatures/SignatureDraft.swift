internal import Encodings
internal import StructuredFields

/// A signature that is complete but for its octets, for a key that signs elsewhere: another process, a service, a chip.
///
/// ```swift
/// let draft = try SignatureDraft(label: "sig1", covering: [.method, .path], parameters: parameters, of: message)
/// let signature = draft.completed(with: try await chip.sign(draft.base.octets))
/// try signature.add(to: &request.fields)
/// ```
///
/// ``MessageSigner`` does both halves with a key at hand.
public struct SignatureDraft: Sendable {
    /// The label of the signature.
    public let label: String
    /// What is to be signed.
    public let base: SignatureBase

    /// Drafts a signature (RFC 9421, section 3.1, steps 1 to 5).
    ///
    /// - Parameters:
    ///   - label: The label of the signature.
    ///   - components: What is covered, in order.
    ///   - parameters: The parameters, in order.
    ///   - message: The message as it goes on the wire, with all fields that are covered.
    ///   - types: The structured fields that are known.
    ///   - limits: How much is taken of the fields that are there already.
    ///   - isForTrailers: Whether the two fields are to go into the trailers, so that only the labels there are taken.
    ///   - checksContentDigest: Whether a covered `Content-Digest` is compared with the content.
    /// - Throws: ``SignatureError``: `expiresBeforeCreated`, `invalidLabel`, `labelNotUnique` when the message carries the
    ///   label already, `selfCovering`, `contentDigestMismatch` for a covered digest of other content, and those of
    ///   ``SignatureBase``.
    public init(
        label: String,
        covering components: [ComponentIdentifier],
        parameters: SignatureParameters,
        of message: SignableMessage,
        types: FieldTypes = .standard,
        limits: SignatureLimits = SignatureLimits(),
        isForTrailers: Bool = false,
        checksContentDigest: Bool = true
    ) throws(SignatureError) {
        try parameters.checkTimes()
        try self.init(
            label: label,
            covering: ComponentList(components),
            of: message,
            types: types,
            limits: limits,
            isForTrailers: isForTrailers,
            checksContentDigest: checksContentDigest,
            writeParameters: parameters.all.append(to:)
        )
    }

    /// The same with parameters that a closure writes, whose times have been checked.
    init(
        label: String,
        covering components: ComponentList,
        of message: SignableMessage,
        types: FieldTypes,
        limits: SignatureLimits,
        isForTrailers: Bool,
        checksContentDigest: Bool,
        writeParameters: (inout OctetWriter) throws(StructuredFieldError) -> Void
    ) throws(SignatureError) {
        guard FieldDictionary.isKey(label) else {
            throw SignatureError(.invalidLabel, "the label is not a key of a dictionary")
        }
        if let fields = try SignatureFields(message, inTrailers: isForTrailers, limits: limits) {
            guard fields.inputs[label] == nil else {
                throw SignatureError(.labelNotUnique, "the message carries a signature of the label already")
            }
        }
        try components.checkNotCovering(label, inTrailers: isForTrailers)
        base = try SignatureBase(
            covering: components,
            of: message,
            types: types,
            limits: limits,
            writeParameters: writeParameters
        )
        if checksContentDigest {
            try DigestCheck(minimum: .sha256, limits: limits).check(
                .contentDigest,
                in: components.identifiers,
                of: message
            )
        }
        self.label = label
    }

    /// The signature with the octets that the key gave for ``base``.
    public func completed(with signature: [UInt8]) -> MessageSignature {
        MessageSignature(label: label, base: base, signature: signature)
    }
}

extension SignatureDraft: CustomStringConvertible, CustomReflectable {
    /// The label and what is covered, without a value.
    public var description: String { "\(label): \(base)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
