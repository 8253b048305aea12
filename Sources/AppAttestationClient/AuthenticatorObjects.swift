internal import AppAttestation
internal import Cryptography

/// Makes the objects of one key.
///
/// Their form is that of App Attest (authenticator data of WebAuthn Level 3, section 6.1), with the statement of a key that
/// vouches for itself (section 8.2): see `InstallationKeyFormat`.
struct AuthenticatorObjects {
    let appID: String
    let key: PrivateKey

    /// AT: a credential follows.
    private static let hasCredential: UInt8 = 0x40

    /// The attestation object of the key.
    func attestation(clientDataHash: [UInt8]) throws(AttestationClientError) -> [UInt8] {
        try Self.check(clientDataHash)
        let identifier = try KeyIdentifier(of: key.publicKey).octets
        let data =
            try header(flags: Self.hasCredential, counter: 0) + InstallationKeyFormat.aaguid
            + CBORWriter.bigEndian(UInt64(identifier.count), width: 2) + identifier
            + CBORWriter.encode(coseKey())
        let signature = try sign(data + clientDataHash)
        return CBORWriter.encode(
            CBORWriter.map([
                "fmt": .text("packed"),
                "attStmt": CBORWriter.map(["alg": .negative(6), "sig": .bytes(signature)]),
                "authData": .bytes(data),
            ])
        )
    }

    /// An assertion object with a counter that no other assertion of the key has.
    func assertion(counter: UInt32, clientDataHash: [UInt8]) throws(AttestationClientError) -> [UInt8] {
        try Self.check(clientDataHash)
        let data = try header(flags: 0, counter: counter)
        // App Attest signs the hash as a message, which is hashed once more.
        let signature = try sign(try Self.hash(data + clientDataHash))
        return CBORWriter.encode(
            CBORWriter.map(["signature": .bytes(signature), "authenticatorData": .bytes(data)])
        )
    }

    /// Apple asks for 16 octets at least.
    static func check(_ clientDataHash: [UInt8]) throws(AttestationClientError) {
        guard clientDataHash.count >= 16 else {
            throw AttestationClientError(
                .invalidClientDataHash,
                "a client data hash has at least 16 octets"
            )
        }
    }

    private func header(flags: UInt8, counter: UInt32) throws(AttestationClientError) -> [UInt8] {
        try Self.hash(Array(appID.utf8)) + [flags] + CBORWriter.bigEndian(UInt64(counter), width: 4)
    }

    /// ES256 over P-256 (RFC 9053, sections 2.1 and 7.1.1).
    private func coseKey() throws(AttestationClientError) -> CBORValue {
        guard key.keyType == .p256, let point = key.publicKey.x963 else {
            throw AttestationClientError(.cryptographyFailure, "the key is not one of P-256")
        }
        return .map([
            CBORMember(.unsigned(1), .unsigned(2)), CBORMember(.unsigned(3), .negative(6)),
            CBORMember(.negative(0), .unsigned(1)), CBORMember(.negative(1), .bytes(Array(point[1..<33]))),
            CBORMember(.negative(2), .bytes(Array(point[33...]))),
        ])
    }

    private func sign(_ message: [UInt8]) throws(AttestationClientError) -> [UInt8] {
        try AttestationClientError.cryptography { () throws(CryptographyError) in
            try key.sign(message, using: .ecdsaP256SHA256, encoding: .der)
        }
    }

    private static func hash(_ octets: [UInt8]) throws(AttestationClientError) -> [UInt8] {
        try AttestationClientError.cryptography { () throws(CryptographyError) in
            try HashAlgorithm.sha256.hash(octets)
        }
    }
}
