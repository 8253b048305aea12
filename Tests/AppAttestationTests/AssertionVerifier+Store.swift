import AppAttestation

extension AssertionVerifier {
    /// Verifies with a store of keys of App Attest.
    func verify(
        _ object: [UInt8],
        clientDataHash: [UInt8],
        keyID: [UInt8],
        store: some AttestedKeyStore
    ) async throws(AttestationError) -> VerifiedAssertion {
        try await verify(
            object,
            clientDataHash: clientDataHash,
            keyID: keyID,
            store: store,
            formats: [.appleAppAttest]
        )
    }
}
