extension SignatureError {
    /// The kinds of fault; each has a stable name.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        // MARK: The fields of a signature

        /// The message carries no signature at all.
        public static let unsignedMessage = Code(description: "unsignedMessage")
        /// There is a `Signature` field and no `Signature-Input`.
        public static let signatureInputMissing = Code(description: "signatureInputMissing")
        /// There is a `Signature-Input` field and no `Signature`.
        public static let signatureMissing = Code(description: "signatureMissing")
        /// `Signature-Input` is no dictionary, or the member is no list of component identifiers.
        public static let malformedSignatureInput = Code(description: "malformedSignatureInput")
        /// `Signature` is no dictionary, or the member is no byte sequence.
        public static let malformedSignature = Code(description: "malformedSignature")
        /// The two fields do not hold the same labels.
        public static let labelMismatch = Code(description: "labelMismatch")
        /// A label stands twice, or is taken already.
        public static let labelNotUnique = Code(description: "labelNotUnique")
        /// No signature carries the label that was asked for.
        public static let labelNotFound = Code(description: "labelNotFound")
        /// Several signatures could be meant, and none was named.
        public static let ambiguousLabel = Code(description: "ambiguousLabel")
        /// The label is not a key of a dictionary.
        public static let invalidLabel = Code(description: "invalidLabel")
        /// The signature is to go into trailers, and the message can have none.
        public static let trailersUnavailable = Code(description: "trailersUnavailable")
        /// A field, a list or the signature base is larger than the limits allow.
        public static let limitExceeded = Code(description: "limitExceeded")

        // MARK: Parameters of a signature

        /// A parameter of the signature has another type than the standard gives it.
        public static let parameterWrongType = Code(description: "parameterWrongType")
        /// A parameter stands twice.
        public static let duplicateParameter = Code(description: "duplicateParameter")
        /// A parameter has no form on the wire.
        public static let unserializableParameter = Code(description: "unserializableParameter")
        /// A parameter that the policy requires is not there.
        public static let requiredParameterMissing = Code(description: "requiredParameterMissing")
        /// A parameter that the policy forbids is there.
        public static let forbiddenParameter = Code(description: "forbiddenParameter")
        /// The signature was created later than now.
        public static let createdInFuture = Code(description: "createdInFuture")
        /// The signature is past its `expires`.
        public static let expired = Code(description: "expired")
        /// The signature expires before it was created.
        public static let expiresBeforeCreated = Code(description: "expiresBeforeCreated")
        /// The signature is older than the policy allows.
        public static let tooOld = Code(description: "tooOld")
        /// The tag is not the one that the policy requires.
        public static let tagMismatch = Code(description: "tagMismatch")
        /// The nonce was seen before.
        public static let nonceReused = Code(description: "nonceReused")

        // MARK: Components

        /// The name of a component is not a field name in lower case.
        public static let invalidComponentName = Code(description: "invalidComponentName")
        /// A name with an `@` that the standard does not define.
        public static let unknownDerivedComponent = Code(description: "unknownDerivedComponent")
        /// `@signature-params` stands among the covered components.
        public static let signatureParamsCovered = Code(description: "signatureParamsCovered")
        /// A parameter of a field that the standard does not define for it.
        public static let unknownComponentParameter = Code(description: "unknownComponentParameter")
        /// A parameter that does not go with a derived component.
        public static let componentParameterNotApplicable = Code(
            description: "componentParameterNotApplicable"
        )
        /// A parameter of a component has another type than the standard gives it.
        public static let malformedComponentParameter = Code(description: "malformedComponentParameter")
        /// `bs` stands beside `sf` or `key`.
        public static let incompatibleComponentParameters = Code(
            description: "incompatibleComponentParameters"
        )
        /// A component stands twice.
        public static let duplicateComponent = Code(description: "duplicateComponent")
        /// The signature covers its own member.
        public static let selfCovering = Code(description: "selfCovering")
        /// A component that the policy requires is not covered.
        public static let requiredComponentMissing = Code(description: "requiredComponentMissing")
        /// `@status` of a request, which has none.
        public static let statusInRequest = Code(description: "statusInRequest")
        /// A component of requests in a response, without `req`.
        public static let requestComponentInResponse = Code(description: "requestComponentInResponse")
        /// `req` in the signature of a request.
        public static let reqInRequest = Code(description: "reqInRequest")
        /// `req`, and the request is not at hand.
        public static let relatedRequestMissing = Code(description: "relatedRequestMissing")
        /// A covered field is not in the message.
        public static let fieldMissing = Code(description: "fieldMissing")
        /// A covered trailer is not in the message.
        public static let trailerMissing = Code(description: "trailerMissing")
        /// `sf` on a field whose structured type is not known.
        public static let structuredTypeUnknown = Code(description: "structuredTypeUnknown")
        /// A field does not parse as its structured type.
        public static let malformedStructuredField = Code(description: "malformedStructuredField")
        /// `key` on a field that is not known as a dictionary or does not parse as one.
        public static let notADictionary = Code(description: "notADictionary")
        /// The dictionary has no member under the key.
        public static let dictionaryKeyMissing = Code(description: "dictionaryKeyMissing")
        /// `@query-param` without `name`.
        public static let queryParamNameMissing = Code(description: "queryParamNameMissing")
        /// The query has no parameter of the name.
        public static let queryParamMissing = Code(description: "queryParamMissing")
        /// The query has the parameter more than once.
        public static let queryParamRepeated = Code(description: "queryParamRepeated")
        /// A value holds a line break or another control character.
        public static let newlineOrControlInValue = Code(description: "newlineOrControlInValue")
        /// A value holds octets outside of ASCII; `bs` can cover such a field.
        public static let nonASCIIInBase = Code(description: "nonASCIIInBase")
        /// The URL of the message has no authority, or cannot be one.
        public static let malformedURL = Code(description: "malformedURL")

        // MARK: Keys, signatures and digests

        /// `alg` names an algorithm that is not in the registry.
        public static let unknownAlgorithm = Code(description: "unknownAlgorithm")
        /// The algorithm is not the one of the key.
        public static let algorithmMismatch = Code(description: "algorithmMismatch")
        /// The policy does not allow the algorithm of the key.
        public static let algorithmNotAllowed = Code(description: "algorithmNotAllowed")
        /// There is no key for the signature, or it is not trusted.
        public static let unknownKey = Code(description: "unknownKey")
        /// The signature is not one of this message under this key.
        public static let signatureInvalid = Code(description: "signatureInvalid")
        /// A digest field is no dictionary of byte sequences.
        public static let malformedContentDigest = Code(description: "malformedContentDigest")
        /// A digest is not the one of the content.
        public static let contentDigestMismatch = Code(description: "contentDigestMismatch")
        /// No digest is of an algorithm that the policy takes.
        public static let noSupportedDigestAlgorithm = Code(description: "noSupportedDigestAlgorithm")
        /// A digest is covered, and the content is not at hand to be compared.
        public static let contentUnavailable = Code(description: "contentUnavailable")
        /// A `Want-` field is no dictionary of integers from 0 to 10.
        public static let malformedPreference = Code(description: "malformedPreference")
        /// `Accept-Signature` is no dictionary of lists of component identifiers.
        public static let malformedSignatureRequest = Code(description: "malformedSignatureRequest")
        /// The cryptographic library failed where it should not have.
        public static let cryptographyFailure = Code(description: "cryptographyFailure")
        /// The application's key or nonce lookup failed.
        public static let callbackFailure = Code(description: "callbackFailure")
    }
}
