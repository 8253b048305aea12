public import HTTPMessages

extension APIError {
    /// A response whose status does not count as valid.
    public struct Status: Sendable, CustomStringConvertible, CustomReflectable {
        /// The status.
        public let code: Int
        /// The header fields.
        public let fields: HTTPFields
        /// The content, up to the limit that the API was given.
        public let body: [UInt8]
        /// Whether the content was longer than that.
        public let isTruncated: Bool
        /// What the server says of the problem, in the form of RFC 9457; nil when it says nothing in that form.
        public let problem: ProblemDetails?
        /// The content in the type that the API was given for errors; nil when it is not of that type.
        public let decodedBody: (any Sendable)?

        /// Describes a response.
        public init(
            code: Int,
            fields: HTTPFields = HTTPFields(),
            body: [UInt8] = [],
            isTruncated: Bool = false,
            problem: ProblemDetails? = nil,
            decodedBody: (any Sendable)? = nil
        ) {
            self.code = code
            self.fields = fields
            self.body = body
            self.isTruncated = isTruncated
            self.problem = problem
            self.decodedBody = decodedBody
        }

        /// The content in a type, where the API was given that type for errors.
        public func body<Value>(as type: Value.Type) -> Value? { decodedBody as? Value }

        /// The status and the length of the content.
        public var description: String {
            "status \(code), \(isTruncated ? "more than " : "")\(body.count) octets"
        }

        /// A mirror without children, so that `dump` shows nothing.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}
