extension AttestationClientError {
    /// What went wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// Makes a code; a provider of one's own may have its own.
        public init(description: String) { self.description = description }

        /// The provider cannot make keys here.
        public static let notSupported = Code(description: "notSupported")
        /// The service was not started.
        public static let notStarted = Code(description: "notStarted")
        /// There was no attested key within the time that the caller gave.
        public static let timedOut = Code(description: "timedOut")
        /// The backend refused for good, with a code of its own.
        public static let refused = Code(description: "refused")
        /// The backend or the device cannot be reached, or cannot do it just now.
        public static let unavailable = Code(description: "unavailable")
        /// The answer is none of the backend's protocol: it comes from something in between, or from another version.
        public static let invalidResponse = Code(description: "invalidResponse")
        /// The key is gone, or can no longer be used.
        public static let keyInvalid = Code(description: "keyInvalid")
        /// A key was replaced once, and its successor was refused too; or there is no further key in the device.
        public static let exhausted = Code(description: "exhausted")
        /// A file of keys, counters or state is damaged, or not safe to use; it stays as it is, but for that of a key that is not
        /// attested yet, which is replaced.
        public static let storeDamaged = Code(description: "storeDamaged")
        /// Files cannot be read or written.
        public static let storeFailed = Code(description: "storeFailed")
        /// The key has made 2^32 - 1 assertions and cannot make another.
        public static let counterExhausted = Code(description: "counterExhausted")
        /// A provider threw an error that is not one of these.
        public static let providerFailed = Code(description: "providerFailed")
        /// The cryptographic library or the device failed.
        public static let cryptographyFailure = Code(description: "cryptographyFailure")
        /// The client data hash has fewer than 16 octets.
        public static let invalidClientDataHash = Code(description: "invalidClientDataHash")
        /// Something given at the start cannot be used: an address, or a prefix of paths.
        public static let invalidConfiguration = Code(description: "invalidConfiguration")
        /// The request would go over plain `http` to another machine.
        public static let insecureTarget = Code(description: "insecureTarget")
        /// The request's content is a stream, cannot be read, or is too large to be signed.
        public static let unsignableBody = Code(description: "unsignableBody")
        /// The string to sign or the time of the request cannot be written, or the request is sent on the way of another one
        /// that is signed.
        public static let unsignableRequest = Code(description: "unsignableRequest")
    }
}
