import Cryptography

/// The members `alg` and `sig` of an attestation statement.
enum StatementSignature {
    /// - Throws: ``AttestationError`` with code `malformedStatement` or `unsupportedAlgorithm`.
    static func read(
        _ statement: CBORValue
    ) throws(AttestationError) -> (algorithm: SignatureAlgorithm, signature: [UInt8]) {
        guard let identifier = statement["alg"]?.integer, let signature = statement["sig"]?.byteString else {
            throw AttestationError(.malformedStatement, "the statement's signature is not in its form")
        }
        guard let algorithm = COSEKey.algorithms[identifier] else {
            throw AttestationError(.unsupportedAlgorithm, "the statement's algorithm is not supported")
        }
        return (algorithm, signature)
    }

    /// - Throws: ``AttestationError`` with code `invalidSignature` or `unsupportedAlgorithm`.
    static func check(
        _ signature: [UInt8],
        _ message: [UInt8],
        _ key: PublicKey,
        _ algorithm: SignatureAlgorithm
    ) throws(AttestationError) {
        guard try AttestationError.isValid(signature, for: message, by: key, using: algorithm) else {
            throw AttestationError(.invalidSignature, "the statement's signature is wrong")
        }
    }
}
