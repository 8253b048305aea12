import Encodings

/// Why the authority refused.
public struct AuthorityError: Error, Sendable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// There is no such account.
        public static let unknownAccount = Code(description: "unknownAccount")
        /// The account is there already.
        public static let accountExists = Code(description: "accountExists")
        /// The account's identifier is not a text of visible ASCII.
        public static let invalidAccount = Code(description: "invalidAccount")
        /// There is no such installation in the account.
        public static let unknownInstallation = Code(description: "unknownInstallation")
        /// The nonce was never given out, was used already, or has ended.
        public static let invalidNonce = Code(description: "invalidNonce")
        /// The proof was not made with the installation's key.
        public static let invalidProof = Code(description: "invalidProof")
        /// The installation key is not a P-256 public key.
        public static let invalidKey = Code(description: "invalidKey")
        /// The installation does not meet the account's policy; the error carries ARC and reasons.
        public static let rejected = Code(description: "rejected")
        /// The audience is not a host that the account protects.
        public static let unknownAudience = Code(description: "unknownAudience")
        /// The data hash is not 32 octets long.
        public static let invalidDataHash = Code(description: "invalidDataHash")
        /// The key of a secure string is empty or too long.
        public static let invalidStringKey = Code(description: "invalidStringKey")
        /// The secret to define is too long.
        public static let secureStringTooLong = Code(description: "secureStringTooLong")
        /// The installation has defined as many secure strings as it may.
        public static let tooManySecureStrings = Code(description: "tooManySecureStrings")
        /// There is no secure string under the key.
        public static let unknownStringKey = Code(description: "unknownStringKey")
        /// The payload of a custom JWT is not a JSON object, or claims what only the authority may.
        public static let invalidPayload = Code(description: "invalidPayload")
        /// The account has no key for message signatures, or none of the identifier that was asked for.
        public static let noAccountKey = Code(description: "noAccountKey")
        /// The request is not in its form.
        public static let malformedRequest = Code(description: "malformedRequest")
        /// The path takes POST only.
        public static let methodNotAllowed = Code(description: "methodNotAllowed")
        /// The content is not said to be JSON.
        public static let unsupportedMediaType = Code(description: "unsupportedMediaType")
        /// The content is larger than any attestation.
        public static let contentTooLarge = Code(description: "contentTooLarge")
        /// The session is one for the other kind of key.
        public static let wrongSession = Code(description: "wrongSession")
        /// The attestation proves nothing; the underlying error says why.
        public static let invalidAttestation = Code(description: "invalidAttestation")
        /// The attestation is right, but its key may not be kept.
        public static let notAdmitted = Code(description: "notAdmitted")
        /// There is a key of this identifier already.
        public static let keyAlreadyBound = Code(description: "keyAlreadyBound")
        /// A challenge could not be made.
        public static let challengeFailed = Code(description: "challengeFailed")
        /// A token could not be signed.
        public static let signingFailed = Code(description: "signingFailed")
        /// The store failed.
        public static let storeFailed = Code(description: "storeFailed")
    }

    /// What was wrong.
    public let code: Code
    /// One sentence for a person, free of secrets.
    public let message: String
    /// The attestation response code of a rejection.
    public let arc: String?
    /// Why the installation was rejected.
    public let rejectionReasons: String?
    /// The error that caused this one.
    public let underlying: (any Error)?

    /// Makes an error; a store throws one with code `storeFailed`.
    public init(
        _ code: Code,
        _ message: String,
        arc: String? = nil,
        rejectionReasons: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.arc = arc
        self.rejectionReasons = rejectionReasons
        self.underlying = underlying
    }

    /// The code and the sentence.
    public var description: String {
        underlying.map { "\(code): \(message) (\(ErrorCause.text($0)))" } ?? "\(code): \(message)"
    }
}

extension AuthorityError: PlainError {}
