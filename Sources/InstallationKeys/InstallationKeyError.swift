internal import Cryptography
internal import FileStorage

/// Why the key of an installation cannot be had or changed.
///
/// Whatever the error, no file that was refused has been changed. The description names the path and never holds key
/// material.
public struct InstallationKeyError: Error, Sendable, CustomStringConvertible {
    /// What went wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// There is no key file, or its directory is missing.
        public static let notFound = Code(description: "notFound")
        /// There is a file already where a new key should go.
        public static let alreadyExists = Code(description: "alreadyExists")
        /// Others can read or replace the file: a symbolic link, a foreign owner, open permissions, an open directory; or
        /// it is no file at all.
        public static let unsafeFile = Code(description: "unsafeFile")
        /// The file is not exactly one private key in PEM, as it was once written, or not one of this TPM, or of before it was
        /// cleared.
        public static let damaged = Code(description: "damaged")
        /// The file holds a key of another kind, or an encrypted one.
        public static let wrongKind = Code(description: "wrongKind")
        /// There is no successor to promote.
        public static let noSuccessor = Code(description: "noSuccessor")
        /// The successor is not the key that was expected.
        public static let wrongSuccessor = Code(description: "wrongSuccessor")
        /// The system cannot read or write here.
        public static let inputOutput = Code(description: "inputOutput")
        /// The TPM that has the key cannot be asked just now, or takes no passphrase for a while; the key is none the worse.
        public static let deviceUnavailable = Code(description: "deviceUnavailable")
        /// The passphrase of a key in a TPM is missing or wrong.
        public static let wrongPassphrase = Code(description: "wrongPassphrase")
        /// The cryptographic library failed.
        public static let cryptographyFailure = Code(description: "cryptographyFailure")
    }

    /// What went wrong.
    public let code: Code
    /// One sentence for people, with the path.
    public let message: String
    /// The error of the layer below, if there is one.
    public let underlying: (any Error)?

    init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    init(_ error: FileStorageError) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .alreadyExists: .alreadyExists
            case .tooLarge: .damaged
            case .inputOutput, .invalidPath: .inputOutput
            default: .unsafeFile
            }
        self.init(code, "\(error.path): \(error.message)", underlying: error)
    }

    /// The error for what a file holds.
    init(_ error: CryptographyError, in path: String) {
        let code: Code =
            switch error.code {
            case .invalidPEM, .invalidKey: .damaged
            case .encryptedKey, .unsupportedKey, .weakKey: .wrongKind
            case .providerUnavailable, .deviceLocked: .deviceUnavailable
            case .wrongPassphrase: .wrongPassphrase
            default: .cryptographyFailure
            }
        self.init(code, "\(path): \(error.message)", underlying: error)
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
