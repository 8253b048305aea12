import Encodings
public import HTTPMessages

/// Why a backend refuses a request.
public struct VerificationError: Error, Sendable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String
        /// The status that fits: 400 for a request that is not in its form, 401 for one that proves nothing, 409 for one
        /// that was overtaken, 503 when it could not be looked into.
        public let status: HTTPStatus

        /// There is no token.
        public static let missingToken = Code(description: "missingToken", status: .unauthorized)
        /// The client sent the status of its fetch in place of a token.
        public static let statusInsteadOfToken = Code(
            description: "statusInsteadOfToken",
            status: .unauthorized
        )
        /// There are several tokens.
        public static let severalTokens = Code(description: "severalTokens", status: .badRequest)
        /// The token's field does not start with the prefix that was agreed.
        public static let missingPrefix = Code(description: "missingPrefix", status: .badRequest)
        /// The token is not one: its form, its encoding or its size is wrong.
        public static let malformedToken = Code(description: "malformedToken", status: .badRequest)
        /// The token's signature, its key or its algorithm is not the authority's.
        public static let untrustedToken = Code(description: "untrustedToken", status: .unauthorized)
        /// The token has ended.
        public static let expiredToken = Code(description: "expiredToken", status: .unauthorized)
        /// The token is not good yet.
        public static let prematureToken = Code(description: "prematureToken", status: .unauthorized)
        /// The token is of another authority, for another host, or no access token at all.
        public static let unsuitableToken = Code(description: "unsuitableToken", status: .unauthorized)
        /// The token is bound, and the request has none of the fields that it could be bound to.
        public static let missingBinding = Code(description: "missingBinding", status: .badRequest)
        /// The token is bound to something else than the request holds, or to nothing.
        public static let bindingMismatch = Code(description: "bindingMismatch", status: .unauthorized)
        /// There is no message signature under a label that is required.
        public static let missingSignature = Code(description: "missingSignature", status: .unauthorized)
        /// The fields of a message signature are not in their form, or cover what the request does not have.
        public static let malformedSignature = Code(description: "malformedSignature", status: .badRequest)
        /// The token names no key for a message signature, or one that is not known here.
        public static let unknownSigningKey = Code(description: "unknownSigningKey", status: .unauthorized)
        /// The message signature is not one of this request and key.
        public static let invalidSignature = Code(description: "invalidSignature", status: .unauthorized)
        /// The message signature has ended, is too old, or comes from the future.
        public static let staleSignature = Code(description: "staleSignature", status: .unauthorized)
        /// The nonce of the message signature was seen before.
        public static let replayedSignature = Code(description: "replayedSignature", status: .unauthorized)
        /// The message signature does not cover what it must, or lacks a parameter.
        public static let insufficientSignature = Code(
            description: "insufficientSignature",
            status: .unauthorized
        )
        /// The content is not the one that was signed.
        public static let contentMismatch = Code(description: "contentMismatch", status: .unauthorized)
        /// A field of an assertion is missing: the client has no attested key.
        public static let missingField = Code(description: "missingField", status: .unauthorized)
        /// A field of an assertion stands twice, or is not in its form.
        public static let malformedField = Code(description: "malformedField", status: .badRequest)
        /// The assertion was made too long ago, or comes from the future.
        public static let staleTimestamp = Code(description: "staleTimestamp", status: .unauthorized)
        /// The content is not the one that `Content-Digest` states.
        public static let bodyChanged = Code(description: "bodyChanged", status: .unauthorized)
        /// There is no attested key of the identifier; the client has a new one attested.
        public static let unknownKey = Code(description: "unknownKey", status: .unauthorized)
        /// The assertion was not made by the key for this method, target, timestamp and content.
        public static let badSignature = Code(description: "badSignature", status: .unauthorized)
        /// The assertion was made by the key, but for another app, by an app that the policy does not take, or by a key that
        /// was attested in a format that is not accepted.
        public static let unsuitableAssertion = Code(
            description: "unsuitableAssertion",
            status: .unauthorized
        )
        /// The counter is not above the one stored: the assertion was used already, or the key has a copy.
        public static let counterNotAdvanced = Code(description: "counterNotAdvanced", status: .unauthorized)
        /// The assertion was right, but another one came first while it was verified.
        public static let counterOvertaken = Code(description: "counterOvertaken", status: .conflict)
        /// The request is neither right nor wrong: a key or a nonce could not be looked up, and the same request may pass later;
        /// or its content was not given in memory, which is for the backend to mend.
        public static let unavailable = Code(description: "unavailable", status: .serviceUnavailable)
    }

    /// What was wrong.
    public let code: Code
    /// One sentence for a person, free of tokens and secrets.
    public let message: String
    /// The error that caused this one.
    public let underlying: (any Error)?

    init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The status to answer with: 400, 401, 409 or 503.
    public var status: HTTPStatus { code.status }

    /// The code and the sentence.
    public var description: String {
        underlying.map { "\(code): \(message) (\(ErrorCause.text($0)))" } ?? "\(code): \(message)"
    }
}

extension VerificationError: PlainError {}
