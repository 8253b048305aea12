/// Signing with the one key, and what its failures mean.
extension AttestationService {
    /// Signs a client data hash.
    ///
    /// Assertions are made one at a time, in the order in which they are asked for, and each has a higher counter than all
    /// before it.
    ///
    /// - Parameters:
    ///   - clientDataHash: The hash of what is asserted, 16 octets or more.
    ///   - deadline: How long to wait for an attested key; nil for the configuration's.
    /// - Returns: The assertion.
    /// - Throws: As ``attestedKeyID(deadline:)``; ``AttestationClientError`` with code `invalidClientDataHash`, or of the
    ///   provider, whose own errors come under `providerFailed`.
    public func assertion(
        for clientDataHash: [UInt8],
        deadline: Duration? = nil
    ) async throws -> KeyAssertion {
        try AuthenticatorObjects.check(clientDataHash)
        // A key that is found invalid here is replaced once, so that this ends.
        while true {
            _ = try await attestedKey(deadline: deadline)
            if let assertion = try await currentAssertion(for: { clientDataHash }) { return assertion }
        }
    }

    /// Signs with the key that there is now.
    ///
    /// - Parameter makeHash: Makes the client data hash when it is this call's turn, which may take a device some time.
    /// - Returns: Nil when there is none just now, or when it is found to be invalid, which has been reported then.
    /// - Throws: What makes the hash; the provider's error as ``AttestationClientError``; `CancellationError`.
    func currentAssertion(for makeHash: () throws -> [UInt8]) async throws -> KeyAssertion? {
        try await signatures.inTurn {
            guard let key = currentKey else { return nil }
            let clientDataHash = try makeHash()
            do {
                let object = try await run.provider.generateAssertion(
                    key.keyID,
                    clientDataHash: clientDataHash
                )
                return KeyAssertion(keyID: key.keyID, generation: key.generation, object: object)
            } catch let error as CancellationError {
                throw error
            } catch {
                let error =
                    error as? AttestationClientError
                    ?? AttestationClientError(
                        .providerFailed,
                        "the provider of keys failed",
                        underlying: error
                    )
                guard try await isReason(error, toDrop: key) else { throw error }
                keyWasRefused(generation: key.generation)
                return nil
            }
        }
    }

    /// Whether a failed signature ends its key: one that is gone does; what cannot be told does so once, since a successor
    /// that fails in the same way is not better.
    private func isReason(
        _ error: AttestationClientError,
        toDrop key: AttestedKeyReference
    ) async throws(AttestationClientError) -> Bool {
        if error.code == .keyInvalid { return true }
        guard error.mayBeOfTheKey,
            [.providerFailed, .cryptographyFailure, .counterExhausted].contains(error.code)
        else { return false }
        return try await run.mayReplace(key)
    }
}
