import Encodings

/// Why a token or a key was refused.
///
/// The description holds the code, one sentence and a place, never a part of the token or key.
public struct TokenError: Error, Sendable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// The text is not three parts with dots between them.
        public static let malformed = Code(description: "malformed")
        /// The text is longer than the limit.
        public static let tooLarge = Code(description: "tooLarge")
        /// A part is not canonical base64url without padding (RFC 7515, section 2).
        public static let invalidEncoding = Code(description: "invalidEncoding")
        /// The header is not a JSON object with members of the right types.
        public static let invalidHeader = Code(description: "invalidHeader")
        /// The claims are not a JSON object, or a registered claim has the wrong type or a value out of range.
        public static let invalidClaims = Code(description: "invalidClaims")
        /// A member name stands twice in one JSON object.
        public static let duplicateMember = Code(description: "duplicateMember")
        /// An algorithm that this library does not have; `none` is one.
        public static let unsupportedAlgorithm = Code(description: "unsupportedAlgorithm")
        /// The algorithm is not the one of the key.
        public static let algorithmMismatch = Code(description: "algorithmMismatch")
        /// A key that leaves a choice of algorithms, and nobody made it.
        public static let missingAlgorithm = Code(description: "missingAlgorithm")
        /// No key has the token's `kid`.
        public static let unknownKey = Code(description: "unknownKey")
        /// The token names no key and there is more than one.
        public static let ambiguousKey = Code(description: "ambiguousKey")
        /// The key is not in its form, or its parts do not fit together.
        public static let invalidKey = Code(description: "invalidKey")
        /// The keys of a set do not belong in one set: two of one `kid`, or secrets beside public keys.
        public static let invalidKeySet = Code(description: "invalidKeySet")
        /// A key type or curve that this library does not have.
        public static let unsupportedKey = Code(description: "unsupportedKey")
        /// A key that is too short or known to be weak.
        public static let weakKey = Code(description: "weakKey")
        /// A key that is for something else by its `use` or `key_ops`, or lacks the private half that is needed.
        public static let wrongKeyUse = Code(description: "wrongKeyUse")
        /// The signature or code is not the one of this text under this key.
        public static let invalidSignature = Code(description: "invalidSignature")
        /// The token is past its `exp`.
        public static let expired = Code(description: "expired")
        /// The token is before its `nbf`.
        public static let notYetValid = Code(description: "notYetValid")
        /// The token's `iat` lies in the future.
        public static let issuedInTheFuture = Code(description: "issuedInTheFuture")
        /// A claim that must be there is not.
        public static let missingClaim = Code(description: "missingClaim")
        /// The token's `iss` is another.
        public static let wrongIssuer = Code(description: "wrongIssuer")
        /// The token is meant for somebody else by its `aud`.
        public static let wrongAudience = Code(description: "wrongAudience")
        /// The token's `typ` is none of those allowed.
        public static let wrongType = Code(description: "wrongType")
        /// The header lists an extension in `crit` that this library does not have.
        public static let unsupportedCriticalHeader = Code(description: "unsupportedCriticalHeader")
        /// The cryptographic library failed where it should not have.
        public static let cryptographyFailure = Code(description: "cryptographyFailure")
    }

    /// What was wrong.
    public let code: Code
    /// One sentence for people, without values.
    public let message: String
    /// Where, in octets from the start of the compact text; nil where there is no one place.
    public let offset: Int?
    /// The error under this one, from reading an encoding or from cryptography.
    public let underlying: (any Error)?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What was wrong.
    ///   - message: One sentence for people. It must not hold a part of the token.
    ///   - offset: Where, in octets of the compact text.
    ///   - underlying: The error under this one.
    public init(_ code: Code, _ message: String, at offset: Int? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
        self.underlying = underlying
    }

    /// The code, the sentence, and the place if there is one.
    public var description: String {
        let place = offset.map { " at octet \($0)" } ?? ""
        let cause = underlying.map { " (\(ErrorCause.text($0)))" } ?? ""
        return "\(code): \(message)\(place)\(cause)"
    }
}

extension TokenError: PlainError {}
