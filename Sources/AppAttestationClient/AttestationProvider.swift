/// What makes keys, has them attested and signs with them.
///
/// Its objects are those of App Attest: an attestation object over authenticator data with a key, and assertions, maps
/// of CBOR with `signature` and `authenticatorData`, whose counter only rises, in all processes and for ever.
///
/// Throw ``AttestationClientError`` with code `unavailable` for what may pass, and `keyInvalid` for a key that is gone
/// for good. For any other error of ``attestKey(_:clientDataHash:)`` the key is dropped as well, since it may be at fault;
/// for one of ``generateAssertion(_:clientDataHash:)`` it is when the code is `providerFailed`, `cryptographyFailure` or
/// `counterExhausted`. Either way one successor is tried, and no further one.
public protocol AttestationProvider: Sendable {
    /// Whether keys can be made here at all.
    var isSupported: Bool { get }

    /// Makes a new key.
    ///
    /// - Returns: The key's identifier: the SHA-256 of the public key's point (X9.62, uncompressed), in Base 64.
    /// - Throws: Any error.
    func generateKey() async throws -> String

    /// Makes the attestation object of a key.
    ///
    /// - Parameters:
    ///   - keyID: What ``generateKey()`` gave.
    ///   - clientDataHash: The hash of the backend's nonce.
    /// - Returns: The object, in CBOR.
    /// - Throws: Any error.
    func attestKey(_ keyID: String, clientDataHash: [UInt8]) async throws -> [UInt8]

    /// Makes an assertion with a key.
    ///
    /// - Parameters:
    ///   - keyID: The identifier of an attested key.
    ///   - clientDataHash: The hash of what is asserted.
    /// - Returns: The assertion object, in CBOR.
    /// - Throws: Any error.
    func generateAssertion(_ keyID: String, clientDataHash: [UInt8]) async throws -> [UInt8]

    /// Forgets a key that will not be used again; one that is not there is no error.
    ///
    /// - Throws: Any error, which nobody waits for: the key is only left behind.
    func removeKey(_ keyID: String) async throws

    /// Forgets a key that ``generateKey()`` has just given and that was not put on record; by default as
    /// ``removeKey(_:)``.
    ///
    /// A provider that cannot make keys, but gives out those there are, may give it again.
    ///
    /// - Throws: As ``removeKey(_:)``.
    func discardKey(_ keyID: String) async throws
}

extension AttestationProvider {
    /// Removes the key.
    public func discardKey(_ keyID: String) async throws { try await removeKey(keyID) }
}
