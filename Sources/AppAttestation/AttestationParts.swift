/// An attestation object and its authenticator data, taken apart, whatever kind of key they hold.
package struct AttestationParts: Sendable, Hashable {
    /// The name of the statement's format.
    package let format: String
    /// The statement.
    package let statement: CBORValue
    /// The authenticator data, without the credential.
    package let authenticatorData: AuthenticatorData
    /// The kind of authenticator: 16 octets.
    package let aaguid: [UInt8]
    /// The key's identifier, 1 to 1023 octets.
    package let credentialID: [UInt8]
    /// The key: an item of CBOR, which may be none of the keys that this library knows.
    package let key: CBORValue

    /// Reads an object: a map with `fmt`, `attStmt` and `authData`, and nothing else.
    ///
    /// - Throws: ``AttestationError`` with code `malformedObject` or `malformedAuthenticatorData`.
    package init(_ bytes: [UInt8]) throws(AttestationError) {
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
        let parts = try AuthenticatorData.taken(apart: data)
        self.format = format
        self.statement = statement
        authenticatorData = parts.data
        aaguid = parts.aaguid
        credentialID = parts.credentialID
        key = parts.key
    }
}
