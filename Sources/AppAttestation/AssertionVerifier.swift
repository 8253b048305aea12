import Cryptography

/// Verifies assertions: that a key attested before signed this client data, and did so after its last assertion.
public struct AssertionVerifier: Sendable {
    private let extensions: AppAttestExtensionPolicy

    /// Makes a verifier.
    ///
    /// - Parameter extensions: What App Attest of iOS 27 and later must tell of the app in each assertion. A key that signs as
    ///   App Attest does and is not Apple's tells nothing, whatever its assertions say.
    public init(extensions: AppAttestExtensionPolicy = .any) {
        self.extensions = extensions
    }

    /// Verifies an assertion object of App Attest: a map of CBOR with `signature` and `authenticatorData`.
    ///
    /// Nothing is stored: put ``VerifiedAssertion/counter`` in the place of ``VerifiedAssertion/previousCounter`` by
    /// compare and swap before the request is carried out, or use ``verify(_:clientDataHash:keyID:store:formats:)``.
    ///
    /// - Parameters:
    ///   - object: The assertion object, in CBOR.
    ///   - clientDataHash: What the client gave as client data hash, octet by octet; 16 at least.
    ///   - key: The key, with its stored counter.
    /// - Returns: The proof, with the counter to store.
    /// - Throws: ``AttestationError``; its code names the first check that failed.
    public func verify(
        _ object: [UInt8],
        clientDataHash: [UInt8],
        key: AttestedKey
    ) throws(AttestationError) -> VerifiedAssertion {
        let value: CBORValue
        do throws(CBORFault) {
            value = try CBORValue(decoding: object, limits: CBORLimits(maximumSize: 16_384))
        } catch {
            throw AttestationError(.malformedObject, "the assertion is not strict CBOR", underlying: error)
        }
        guard value.members?.count == 2, let signature = value["signature"]?.byteString,
            let data = value["authenticatorData"]?.byteString
        else { throw AttestationError(.malformedObject, "the assertion does not have its members") }
        return try verify(
            authenticatorData: data,
            signature: signature,
            clientDataHash: clientDataHash,
            key: key
        )
    }

    /// Verifies the parts of an assertion, which WebAuthn sends one by one.
    ///
    /// The rules are those of ``verify(_:clientDataHash:key:)``; the key's scheme says what is signed.
    public func verify(
        authenticatorData bytes: [UInt8],
        signature: [UInt8],
        clientDataHash: [UInt8],
        key: AttestedKey
    ) throws(AttestationError) -> VerifiedAssertion {
        try AppIdentity.checkClientDataHash(clientDataHash)
        let data = try AuthenticatorData(assertion: bytes)
        let message =
            switch key.scheme {
            // ECDSA hashes its message, so that what is signed in the end is the hash of a hash.
            case .appAttest: try AppIdentity.hash(bytes + clientDataHash)
            case .webAuthn: bytes + clientDataHash
            }
        let isValid = try AttestationError.isValid(
            signature,
            for: message,
            by: key.publicKey,
            using: key.algorithm
        )
        guard isValid else { throw AttestationError(.invalidSignature, "the assertion's signature is wrong") }
        let appHash = try AppIdentity.hash(of: key.appID)
        guard ConstantTime.equal(appHash, data.relyingPartyIDHash) else {
            throw AttestationError(.appIDMismatch, "the assertion belongs to another app than the key")
        }
        let isUncounted = key.scheme == .webAuthn && data.counter == 0 && key.counter == 0
        guard data.counter > key.counter || isUncounted else {
            throw AttestationError(.counterNotAdvanced, "the assertion's counter is not above the stored one")
        }
        var appExtensions: AppAttestExtensions?
        if key.scheme == .appAttest {
            // What a key that Apple does not vouch for says of its app, anyone can say.
            appExtensions = key.format == .appleAppAttest ? try AppAttestExtensions(data.extensions) : nil
            try extensions.check(appExtensions, attested: key.attestedExtensions)
        }
        return VerifiedAssertion(
            keyID: key.keyID,
            format: key.format,
            appID: key.appID,
            environment: key.environment,
            previousCounter: key.counter,
            counter: data.counter,
            authenticatorData: data,
            appExtensions: appExtensions,
            clientDataHash: clientDataHash
        )
    }

    /// Verifies an assertion whose client data hash is the SHA-256 of the client data.
    ///
    /// The rules are those of ``verify(_:clientDataHash:key:)``.
    public func verify(
        _ object: [UInt8],
        clientData: [UInt8],
        key: AttestedKey
    ) throws(AttestationError) -> VerifiedAssertion {
        try verify(object, clientDataHash: AppIdentity.hash(clientData), key: key)
    }
}
