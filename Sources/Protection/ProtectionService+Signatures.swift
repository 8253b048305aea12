extension ProtectionService {
    /// Signs octets of the app's own with the installation key.
    ///
    /// The authority names the public half in the `ipk` claim of every token, so a backend can verify the signature.
    ///
    /// - Parameter message: The octets, not their hash.
    /// - Returns: The signature, ECDSA over P-256 and SHA-256, 64 octets.
    /// - Throws: ``ProtectionError`` with code `configuration` before the service is initialized with a full
    ///   configuration, or what the token fetcher throws.
    public func installationSignature(of message: [UInt8]) async throws -> DetachedSignature {
        let fetcher = try signingFetcher("installation signature")
        return DetachedSignature(bytes: try await fetcher.installationSignature(of: message, publicKey: nil))
    }

    /// Signs octets of the app's own with the account key.
    ///
    /// - Parameter message: The octets.
    /// - Returns: The HMAC with SHA-256, 32 octets.
    /// - Throws: ``ProtectionError`` with code `configuration` before the service is initialized with a full
    ///   configuration, or what the token fetcher throws.
    public func accountSignature(of message: [UInt8]) async throws -> DetachedSignature {
        let fetcher = try signingFetcher("account signature")
        return DetachedSignature(bytes: try await fetcher.accountSignature(of: message, keyIdentifier: nil))
    }

    private func signingFetcher(_ operation: String) throws(ProtectionError) -> any TokenFetcher {
        guard let fetcher = snapshot.engine?.fetcher else {
            throw ProtectionError(.configuration, "\(operation): the service is not initialized")
        }
        return fetcher
    }
}
