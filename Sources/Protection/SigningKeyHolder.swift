/// Whatever signs for this installation and its account; every ``TokenFetcher`` is one.
///
/// The keys themselves never come out, so they may be in a chip or in another process.
public protocol SigningKeyHolder: Sendable {
    /// Signs a message with the installation key: ECDSA over P-256 and SHA-256.
    ///
    /// - Parameters:
    ///   - message: The octets to sign, not their hash.
    ///   - publicKey: The SubjectPublicKeyInfo in DER that the signature will be verified with, as the token's `ipk` claim
    ///     has it; nil asks for the present key. While a key is being replaced, tokens name the old one for a while.
    /// - Returns: `r` and `s`, 32 octets each (RFC 9421, section 3.3.4).
    /// - Throws: When the holder has no such key, or it cannot sign.
    func installationSignature(of message: [UInt8], publicKey: [UInt8]?) async throws -> [UInt8]

    /// Signs a message with the account key: HMAC with SHA-256.
    ///
    /// - Parameters:
    ///   - message: The octets to sign.
    ///   - keyIdentifier: The key, as the token's `mskid` claim names it; nil asks for the present key.
    /// - Returns: The code, 32 octets.
    /// - Throws: When the holder has no such key.
    func accountSignature(of message: [UInt8], keyIdentifier: String?) async throws -> [UInt8]
}

extension SigningKeyHolder {
    /// Has no installation key.
    ///
    /// - Throws: ``ProtectionError`` with code `permanent`, always.
    public func installationSignature(of message: [UInt8], publicKey: [UInt8]?) async throws -> [UInt8] {
        throw ProtectionError(.permanent, "installation signature: there is no installation key")
    }

    /// Has no account key.
    ///
    /// - Throws: ``ProtectionError`` with code `permanent`, always.
    public func accountSignature(of message: [UInt8], keyIdentifier: String?) async throws -> [UInt8] {
        throw ProtectionError(.permanent, "account signature: there is no account key")
    }
}
