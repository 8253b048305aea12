/// One format of attestation statements; the verifier has one for each name it takes.
///
/// The verifier reads the object, finds the format by name and calls ``verify(_:)``. It then compares the app identifier, calls
/// ``checkAuthenticator(_:)``, and compares the credential identifier and the key.
public protocol AttestationFormat: Sendable {
    /// The name in the object's `fmt`.
    var name: String { get }
    /// How assertions with the attested key are signed.
    var assertionScheme: AssertionScheme { get }

    /// Judges the statement.
    ///
    /// - Returns: What the statement proves.
    /// - Throws: ``AttestationError`` for a statement that proves nothing.
    func verify(_ context: AttestationContext) throws(AttestationError) -> AttestationEvidence

    /// Judges counter, AAGUID and extensions.
    ///
    /// - Returns: What is known about the authenticator.
    /// - Throws: ``AttestationError`` for an authenticator that is not accepted.
    func checkAuthenticator(_ object: AttestationObject) throws(AttestationError) -> AuthenticatorTraits
}

extension AttestationFormat {
    /// WebAuthn's scheme, of which App Attest differs.
    public var assertionScheme: AssertionScheme { .webAuthn }

    /// Accepts any authenticator.
    public func checkAuthenticator(
        _ object: AttestationObject
    ) throws(AttestationError) -> AuthenticatorTraits { AuthenticatorTraits() }
}
