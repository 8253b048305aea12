/// Verification together with a store.
extension AssertionVerifier {
    /// Verifies an assertion object with a stored key, and stores the new counter.
    ///
    /// The signature is verified before the counter is looked at. Of several calls with one counter a single one succeeds.
    /// One that others come before again and again gives up after 128 of them.
    ///
    /// - Parameters:
    ///   - object: The assertion object, in CBOR.
    ///   - clientDataHash: What the client gave as client data hash, octet by octet; 16 at least.
    ///   - keyID: The identifier under which the client presents the key.
    ///   - store: The store of keys.
    ///   - formats: What may have vouched for the key; a store may hold keys that anyone can make.
    /// - Returns: The proof, after its counter was stored.
    /// - Throws: ``AttestationError`` as ``verify(_:clientDataHash:key:)`` does; with code `unknownKey`; with
    ///   `formatNotAllowed`; with `counterOvertaken` when the assertion was right but another one came first; with
    ///   `storeFailed`, also when the task is cancelled.
    public func verify(
        _ object: [UInt8],
        clientDataHash: [UInt8],
        keyID: [UInt8],
        store: some AttestedKeyStore,
        formats: Set<AttestedKeyFormat>
    ) async throws(AttestationError) -> VerifiedAssertion {
        var wasRight = false
        for _ in 0..<128 {
            guard !Task.isCancelled else {
                throw AttestationError(
                    .storeFailed,
                    "the verification was cancelled",
                    underlying: CancellationError()
                )
            }
            guard let key = try await Self.ask(store, { store in try await store.key(keyID) }) else {
                throw AttestationError(.unknownKey, "there is no key of this identifier")
            }
            let assertion: VerifiedAssertion
            do throws(AttestationError) {
                assertion = try verify(object, clientDataHash: clientDataHash, key: key)
            } catch {
                guard wasRight, error.code == .counterNotAdvanced else { throw error }
                throw Self.overtaken
            }
            guard formats.contains(assertion.format) else {
                throw AttestationError(
                    .formatNotAllowed,
                    "the key was attested in a format that is not accepted"
                )
            }
            if assertion.counter == assertion.previousCounter { return assertion }
            let isStored = try await Self.ask(store) { store in
                try await store.advanceCounter(
                    keyID: keyID,
                    from: assertion.previousCounter,
                    to: assertion.counter
                )
            }
            if isStored { return assertion }
            // The counter moved in between.
            wasRight = true
        }
        throw Self.overtaken
    }

    private static var overtaken: AttestationError {
        AttestationError(.counterOvertaken, "another assertion of the key came first")
    }

    private static func ask<Store: AttestedKeyStore, Answer>(
        _ store: Store,
        _ question: (Store) async throws -> Answer
    ) async throws(AttestationError) -> Answer {
        do { return try await question(store) } catch {
            throw AttestationError(.storeFailed, "the store of keys failed", underlying: error)
        }
    }
}

/// Enrolment together with a store.
extension AttestedKeyStore {
    /// Keeps the key of a verified attestation, unless one of this identifier is there.
    ///
    /// - Throws: ``AttestationError`` with code `keyAlreadyBound` or `storeFailed`.
    public func enrol(_ attestation: VerifiedAttestation) async throws(AttestationError) {
        let isNew: Bool
        do { isNew = try await insert(attestation.key) } catch {
            throw AttestationError(.storeFailed, "the store of keys failed", underlying: error)
        }
        guard isNew else {
            throw AttestationError(.keyAlreadyBound, "there is a key of this identifier already")
        }
    }
}
