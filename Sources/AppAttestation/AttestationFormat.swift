/// One format of attestation statements.
///
/// The verifier reads the object, finds the format by name and AAGUID, and calls ``verify(_:)``. It then compares the app
/// identifier, calls ``checkAuthenticator(_:)``, and compares the credential identifier and the key.
public protocol AttestationFormat: Sendable {
    /// The name in the object's `fmt`.
    var name: String { get }
    /// How assertions with the attested key are signed.
    var assertionScheme: AssertionScheme { get }
    /// The AAGUIDs of the authenticators that the format is for, 16 octets each; nil for any.
    ///
    /// The verifier refuses any other for the format, after ``checkAuthenticator(_:)``. They also tell formats of one name
    /// apart: an object whose AAGUID is among them goes to that format, and any other to one
    /// that is for any. The statement covers the AAGUID, so nobody but its maker can move an object to the other.
    var authenticators: Set<[UInt8]>? { get }

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

    /// Any authenticator.
    public var authenticators: Set<[UInt8]>? { nil }

    /// Accepts any authenticator.
    public func checkAuthenticator(
        _ object: AttestationObject
    ) throws(AttestationError) -> AuthenticatorTraits { AuthenticatorTraits() }
}
