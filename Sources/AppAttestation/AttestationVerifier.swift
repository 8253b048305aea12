import Cryptography
public import Timing

/// Verifies attestations: that a new key is in hardware, of a genuine app, and made for this challenge.
public struct AttestationVerifier: Sendable {
    private let apps: [(hash: [UInt8], appID: String)]
    private let formats: [any AttestationFormat]
    private let time: TimeSource

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - appIDs: The apps to accept: for App Attest the App ID, which is the App ID prefix (often the team identifier), a dot
    ///     and the bundle identifier; for WebAuthn the relying party's identifier.
    ///   - formats: The formats to accept. Of several with one name, the one for the object's AAGUID counts
    ///     (``AttestationFormat/authenticators``), else one for any; of several such, the last.
    ///   - time: The clock. Leaf certificates of App Attest end some days after the attestation, so one that is verified
    ///     again later needs the time of its arrival here.
    /// - Throws: ``AttestationError`` with code `libraryFailure`.
    public init(
        appIDs: [String],
        formats: [any AttestationFormat],
        time: TimeSource = .system
    ) throws(AttestationError) {
        var apps: [(hash: [UInt8], appID: String)] = []
        for appID in appIDs { apps.append((try AppIdentity.hash(of: appID), appID)) }
        self.apps = apps
        self.formats = formats
        self.time = time
    }

    /// Verifies an attestation from the octets that the client hashed into it.
    ///
    /// - Parameters:
    ///   - object: The attestation object, in CBOR.
    ///   - keyID: The identifier under which the client presents the key: for App Attest 32 octets, decoded from Base 64;
    ///     nil for that which the object holds, when the client does not give it apart. It is checked against the key
    ///     either way, by the rules of the format.
    ///   - clientDataHash: What the client gave as client data hash, octet by octet; 16 at least. An app that gave the
    ///     challenge itself, as Apple's samples do, needs the challenge here and not its hash.
    /// - Returns: The proof, with the key to store.
    /// - Throws: ``AttestationError``; its code names the first check that failed.
    public func verify(
        _ object: [UInt8],
        keyID: [UInt8]?,
        clientDataHash: [UInt8]
    ) throws(AttestationError) -> VerifiedAttestation {
        try AppIdentity.checkClientDataHash(clientDataHash)
        let object = try AttestationObject(object)
        guard let format = format(of: object) else {
            throw AttestationError(.unknownFormat, "the attestation's format is not accepted")
        }
        let keyID = keyID ?? object.credential.credentialID
        let context = AttestationContext(
            object: object,
            clientDataHash: clientDataHash,
            keyID: keyID,
            time: time.secondsSince1970
        )
        let evidence = try format.verify(context)
        let data = object.authenticatorData
        guard let app = apps.first(where: { ConstantTime.equal($0.hash, data.relyingPartyIDHash) }) else {
            throw AttestationError(.appIDMismatch, "the attestation belongs to an app that is not accepted")
        }
        let traits = try format.checkAuthenticator(object)
        let credential = object.credential
        guard format.authenticators?.contains(credential.aaguid) ?? true else {
            throw AttestationError(.unknownAuthenticator, "the AAGUID is not one that the format is for")
        }
        guard ConstantTime.equal(credential.credentialID, keyID) else {
            throw AttestationError(
                .credentialIDMismatch,
                "the credential identifier is not the key identifier"
            )
        }
        guard evidence.attestedKey.map({ $0 == credential.key.publicKey }) ?? true else {
            throw AttestationError(.keyMismatch, "the authenticator data hold another key than the statement")
        }
        let key = AttestedKey(
            keyID: keyID,
            publicKey: credential.key.publicKey,
            algorithm: credential.key.algorithm,
            format: evidence.format,
            scheme: format.assertionScheme,
            appID: app.appID,
            environment: traits.environment,
            counter: data.counter,
            attestedExtensions: traits.appExtensions,
            receipt: evidence.receipt
        )
        return VerifiedAttestation(key: key, context: context, evidence: evidence, traits: traits)
    }

    /// Verifies an attestation whose client data hash is the SHA-256 of a challenge.
    ///
    /// The rules are those of ``verify(_:keyID:clientDataHash:)``.
    public func verify(
        _ object: [UInt8],
        keyID: [UInt8]?,
        challenge: [UInt8]
    ) throws(AttestationError) -> VerifiedAttestation {
        try verify(object, keyID: keyID, clientDataHash: AppIdentity.hash(challenge))
    }

    private func format(of object: AttestationObject) -> (any AttestationFormat)? {
        let named = formats.filter { $0.name.utf8.elementsEqual(object.format.utf8) }
        return named.last { $0.authenticators?.contains(object.credential.aaguid) == true }
            ?? named.last { $0.authenticators == nil } ?? named.last
    }
}
