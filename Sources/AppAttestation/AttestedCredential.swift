/// The part of authenticator data that introduces a key (WebAuthn Level 3, section 6.5.2).
public struct AttestedCredential: Sendable, Hashable {
    /// The kind of authenticator: 16 octets.
    public let aaguid: [UInt8]
    /// The key's identifier, 1 to 1023 octets; 32 for App Attest.
    public let credentialID: [UInt8]
    /// The key.
    public let key: COSEKey
}
