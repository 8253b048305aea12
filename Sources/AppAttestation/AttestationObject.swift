/// An attestation object (WebAuthn Level 3, section 6.5.4), taken apart and not yet judged.
public struct AttestationObject: Sendable, Hashable {
    /// The name of the statement's format.
    public let format: String
    /// The statement, a map whose members the format knows.
    public let statement: CBORValue
    /// The authenticator data.
    public let authenticatorData: AuthenticatorData
    /// The new key, which every attestation has.
    public let credential: AttestedCredential

    /// Reads an object: a map with `fmt`, `attStmt` and `authData`, and nothing else.
    ///
    /// - Throws: ``AttestationError`` with code `malformedObject`, `malformedAuthenticatorData` or `unsupportedKey`.
    public init(_ bytes: [UInt8]) throws(AttestationError) {
        let parts = try AttestationParts(bytes)
        format = parts.format
        statement = parts.statement
        credential = AttestedCredential(
            aaguid: parts.aaguid,
            credentialID: parts.credentialID,
            key: try COSEKey(parts.key)
        )
        authenticatorData = parts.authenticatorData.with(credential)
    }
}
