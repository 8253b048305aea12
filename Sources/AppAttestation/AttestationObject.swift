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
        let value: CBORValue
        do throws(CBORFault) { value = try CBORValue(decoding: bytes) } catch {
            throw AttestationError(
                .malformedObject,
                "the attestation object is not strict CBOR",
                underlying: error
            )
        }
        guard value.members?.count == 3, let format = value["fmt"]?.textString,
            let statement = value["attStmt"], statement.members != nil,
            let data = value["authData"]?.byteString
        else { throw AttestationError(.malformedObject, "the attestation object does not have its members") }
        self.format = format
        self.statement = statement
        authenticatorData = try AuthenticatorData(attestation: data)
        guard let credential = authenticatorData.credential else {
            throw AttestationError(.malformedAuthenticatorData, "the authenticator data have no credential")
        }
        self.credential = credential
    }
}
