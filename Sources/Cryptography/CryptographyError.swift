import Encodings

/// Why a cryptographic operation was refused or failed.
///
/// A wrong signature is not an error at this level: `PublicKey.isValidSignature` answers
/// false. The description never holds key material or input.
public struct CryptographyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// The octets or text are not a key of the form asked for, or the parts of the key do not fit together.
        public static let invalidKey = Code(description: "invalidKey")
        /// A well-formed key of a kind that this library does not use: another algorithm, curve, or size too large.
        public static let unsupportedKey = Code(description: "unsupportedKey")
        /// A key that must not be used: RSA below 2048 bits, an RSA exponent of 1, or a known weak generator.
        public static let weakKey = Code(description: "weakKey")
        /// A private key that is encrypted under a password.
        public static let encryptedKey = Code(description: "encryptedKey")
        /// The signature algorithm does not belong to the key's type.
        public static let algorithmMismatch = Code(description: "algorithmMismatch")
        /// The octets or text are not an X.509 certificate.
        public static let invalidCertificate = Code(description: "invalidCertificate")
        /// A certificate of the chain is past its last second at the time of verification.
        public static let certificateExpired = Code(description: "certificateExpired")
        /// A certificate of the chain has not reached its first second at the time of verification.
        public static let certificateNotYetValid = Code(description: "certificateNotYetValid")
        /// No chain of certificates leads to a root of trust, or one of the chain may not stand in its place.
        public static let untrustedCertificate = Code(description: "untrustedCertificate")
        /// The octets are not a CMS SignedData, or its signature is wrong.
        public static let invalidSignedData = Code(description: "invalidSignedData")
        /// The text is not the PEM of RFC 7468, or holds another kind of object.
        public static let invalidPEM = Code(description: "invalidPEM")
        /// An argument outside what the operation allows.
        public static let invalidInput = Code(description: "invalidInput")
        /// A provider of keys is not installed, or it cannot reach its device, or the device has no room.
        public static let providerUnavailable = Code(description: "providerUnavailable")
        /// There is no private key at the place named to a provider.
        public static let keyNotFound = Code(description: "keyNotFound")
        /// The passphrase of a key is missing or wrong.
        public static let wrongPassphrase = Code(description: "wrongPassphrase")
        /// A device takes no passphrase for a while, because too many were wrong.
        public static let deviceLocked = Code(description: "deviceLocked")
        /// A private key that does not leave its device.
        public static let notExportable = Code(description: "notExportable")
        /// OpenSSL failed where it should not have; ``CryptographyError/detail`` holds its own words.
        public static let libraryFailure = Code(description: "libraryFailure")
    }

    /// What went wrong.
    public let code: Code
    /// One sentence for people, without values.
    public let message: String
    /// OpenSSL's error queue as text, oldest first, or empty.
    public let detail: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - message: One sentence for people. It must not hold key material.
    ///   - detail: OpenSSL's own words.
    public init(_ code: Code, _ message: String, detail: String = "") {
        self.code = code
        self.message = message
        self.detail = detail
    }

    /// The code, the message and OpenSSL's words.
    public var description: String {
        detail.isEmpty ? "\(code): \(message)" : "\(code): \(message) (\(detail))"
    }
}

extension CryptographyError: PlainError {}
