public import HTTPMessages

/// Why a backend refuses a request.
public struct VerificationError: Error, Sendable, CustomStringConvertible {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String
        /// The status that fits: 400 for a request that is not in its form, 401 for one that proves nothing.
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

    /// The status to answer with: 400 or 401.
    public var status: HTTPStatus { code.status }

    /// The code and the sentence.
    public var description: String {
        underlying.map { "\(code): \(message) (\($0))" } ?? "\(code): \(message)"
    }
}
