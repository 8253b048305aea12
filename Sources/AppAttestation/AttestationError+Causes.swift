import Cryptography

extension AttestationError {
    /// The failure of a chain, or of one of its certificates.
    init(certificate error: CryptographyError) {
        let code: Code =
            switch error.code {
            case .certificateExpired: .certificateExpired
            case .certificateNotYetValid: .certificateNotYetValid
            case .untrustedCertificate: .untrustedCertificate
            case .libraryFailure: .libraryFailure
            default: .invalidCertificate
            }
        self.init(code, "the certificates of the statement do not hold", underlying: error)
    }

    /// Runs cryptography that cannot fail for a reason of the input.
    static func run<Value>(
        _ body: () throws(CryptographyError) -> Value
    ) throws(AttestationError) -> Value {
        do throws(CryptographyError) { return try body() } catch {
            throw AttestationError(.libraryFailure, "the cryptographic library failed", underlying: error)
        }
    }

    /// Runs work on certificates.
    static func certificate<Value>(
        _ body: () throws(CryptographyError) -> Value
    ) throws(AttestationError) -> Value {
        do throws(CryptographyError) { return try body() } catch {
            throw AttestationError(certificate: error)
        }
    }

    /// Checks a signature, whose wrongness is the caller's matter.
    static func isValid(
        _ signature: [UInt8],
        for message: [UInt8],
        by key: PublicKey,
        using algorithm: SignatureAlgorithm
    ) throws(AttestationError) -> Bool {
        guard algorithm.fits(key.keyType) else {
            throw AttestationError(.unsupportedAlgorithm, "the algorithm does not belong to the key")
        }
        return try run { () throws(CryptographyError) in
            try key.isValidSignature(signature, for: message, using: algorithm, encoding: .der)
        }
    }
}
