internal import Cryptography
internal import FileStorage
internal import InstallationKeys

extension AttestationClientError {
    /// The error for a file of state or of a counter.
    init(_ error: FileStorageError) {
        let code: Code =
            switch error.code {
            case .inputOutput, .notFound, .invalidPath, .alreadyExists: .storeFailed
            default: .storeDamaged
            }
        // The error itself holds the whole path and says no more.
        self.init(code, at: error.path, error.message)
    }

    /// The error for a file, whose path the message shows without the identifier of a key.
    init(_ code: Code, at path: String, _ message: String, underlying: CryptographyError? = nil) {
        self.init(code, "\(KeyIdentifier.shortened(in: path)): \(message)", underlying: underlying)
    }

    /// The error for the file of a key.
    init(_ error: InstallationKeyError) {
        let code: Code =
            switch error.code {
            case .notFound: .keyInvalid
            case .inputOutput: .storeFailed
            case .cryptographyFailure: .cryptographyFailure
            default: .storeDamaged
            }
        self.init(
            code,
            KeyIdentifier.shortened(in: error.message),
            underlying: error.underlying as? CryptographyError
        )
    }

    /// The error for a key in memory or in a device.
    init(_ error: CryptographyError) {
        let code: Code =
            switch error.code {
            case .invalidKey, .keyNotFound: .keyInvalid
            case .providerUnavailable, .deviceLocked: .unavailable
            default: .cryptographyFailure
            }
        self.init(code, "the key cannot be used", underlying: error)
    }

    static func file<Value>(
        _ body: () throws(FileStorageError) -> Value
    ) throws(AttestationClientError) -> Value {
        do throws(FileStorageError) { return try body() } catch { throw AttestationClientError(error) }
    }

    static func cryptography<Value>(
        _ body: () throws(CryptographyError) -> Value
    ) throws(AttestationClientError) -> Value {
        do throws(CryptographyError) { return try body() } catch { throw AttestationClientError(error) }
    }
}
