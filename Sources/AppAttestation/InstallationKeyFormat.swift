internal import Cryptography

/// The attestations of this library's own client: a P-256 key that vouches for itself, in WebAuthn's format `packed`.
///
/// Such an attestation proves that the client has the private key, and nothing of the device: who may enrol one is for
/// the backend to decide, and `AssertedRequestVerifier` takes its keys only where it names
/// ``AttestedKeyFormat/installationKey``. Everything else is as in App Attest, so that one store serves both: the key
/// identifier is the SHA-256 of the public key's point in its X9.62 form, the counter starts at zero, and assertions
/// follow ``AssertionScheme/appAttest``. A verifier that takes other statements of `packed` as well has ``PackedFormat``
/// beside this one, in any order: the AAGUID tells whose an object is.
public struct InstallationKeyFormat: AttestationFormat {
    /// `packed`.
    public let name = "packed"
    /// As App Attest signs and counts.
    public var assertionScheme: AssertionScheme { .appAttest }

    /// The AAGUID of keys that the client of this library makes: 16 octets, the ASCII of `swift-protection`.
    public static let aaguid: [UInt8] = Array("swift-protection".utf8)

    /// ``aaguid``.
    public var authenticators: Set<[UInt8]>? { [Self.aaguid] }

    /// Makes the format.
    public init() {}

    /// Checks the signature of the key over itself, and the key identifier.
    ///
    /// - Throws: ``AttestationError`` with code `malformedStatement`, `unsupportedAlgorithm`, `invalidSignature`,
    ///   `keyIDMismatch` or `libraryFailure`.
    public func verify(_ context: AttestationContext) throws(AttestationError) -> AttestationEvidence {
        try context.requireMembers(["alg", "sig"])
        let (algorithm, signature) = try StatementSignature.read(context.object.statement)
        let key = context.object.credential.key
        guard algorithm == .ecdsaP256SHA256, key.algorithm == algorithm, let point = key.publicKey.x963 else {
            throw AttestationError(.unsupportedAlgorithm, "the key is not one of P-256")
        }
        try StatementSignature.check(signature, context.signedBytes, key.publicKey, algorithm)
        guard ConstantTime.equal(try AppIdentity.hash(point), context.keyID) else {
            throw AttestationError(.keyIDMismatch, "the key is not the one that the identifier names")
        }
        return AttestationEvidence(format: .installationKey, certificates: [])
    }

    /// Checks the counter.
    ///
    /// - Throws: ``AttestationError`` with code `counterNotZero`.
    public func checkAuthenticator(
        _ object: AttestationObject
    ) throws(AttestationError) -> AuthenticatorTraits {
        guard object.authenticatorData.counter == 0 else {
            throw AttestationError(.counterNotZero, "the counter of a new key must be zero")
        }
        return AuthenticatorTraits()
    }
}
