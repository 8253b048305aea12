extension AWSSigningError {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// No region, or one with a character that a credential scope cannot hold.
        public static let invalidRegion = Code(description: "invalidRegion")
        /// No service, or one with a character that a credential scope cannot hold.
        public static let invalidService = Code(description: "invalidService")
        /// An access key, a secret or a session token that is empty or holds a character that none has.
        public static let invalidCredentials = Code(description: "invalidCredentials")
        /// The credentials ended before the signing date.
        public static let credentialsExpired = Code(description: "credentialsExpired")
        /// A date outside the years 1970 to 9999.
        public static let invalidDate = Code(description: "invalidDate")
        /// A presigned URL for less than 1 second, more than 604,800 or a part of a second.
        public static let invalidExpiration = Code(description: "invalidExpiration")
        /// A field to be signed whose value is not ASCII.
        public static let invalidField = Code(description: "invalidField")
        /// A field that contradicts what is signed: another `Host`, another kind of `Authorization`, another length.
        public static let conflictingField = Code(description: "conflictingField")
        /// A URL that cannot be sent.
        public static let invalidURL = Code(description: "invalidURL")
        /// A query with a bare `+`, which some services read as a blank and others as a plus.
        public static let ambiguousQuery = Code(description: "ambiguousQuery")
        /// A URL that carries a signature already.
        public static let alreadySigned = Code(description: "alreadySigned")
        /// A digest of another length than 32 octets.
        public static let invalidPayload = Code(description: "invalidPayload")
        /// A form of payload that the service, the algorithm or a presigned URL does not have.
        public static let unsupportedPayload = Code(description: "unsupportedPayload")
        /// Chunks out of order: data after the end, more or less data than was announced, other trailers.
        public static let chunkMismatch = Code(description: "chunkMismatch")
        /// A bucket name that the service or the style of address cannot have.
        public static let invalidBucket = Code(description: "invalidBucket")
        /// An object key that is empty or longer than 1,024 octets.
        public static let invalidObjectKey = Code(description: "invalidObjectKey")
        /// A POST policy without bucket or key, or with a field that the signer sets.
        public static let invalidPolicy = Code(description: "invalidPolicy")
        /// The provider has nothing to offer; a chain asks the next one.
        public static let noCredentials = Code(description: "noCredentials")
        /// A configuration file or variable that cannot be understood.
        public static let invalidConfiguration = Code(description: "invalidConfiguration")
        /// A profile that asks for something that is not there: another kind of credentials, or no such profile.
        public static let unsupportedProfile = Code(description: "unsupportedProfile")
        /// A file that cannot be read, is too large, or that every user of the machine may write.
        public static let unreadableFile = Code(description: "unreadableFile")
        /// An address that credentials must not be fetched from.
        public static let endpointRefused = Code(description: "endpointRefused")
        /// The exchange with a source of credentials failed.
        public static let endpointFailed = Code(description: "endpointFailed")
        /// The answer of a source of credentials cannot be understood.
        public static let invalidResponse = Code(description: "invalidResponse")
        /// OpenSSL failed where it should not have.
        public static let cryptographyFailed = Code(description: "cryptographyFailed")
    }
}
