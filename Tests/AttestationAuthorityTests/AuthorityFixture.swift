import AttestationAuthority
import Cryptography
import HTTPMessages
import JSONWebTokens
import ProtectionTesting

/// An authority with one account, and one installation that knows how to prove itself.
struct AuthorityFixture {
    let time = ManualTime()
    let store = InMemoryAuthorityStore()
    let authority: AttestationAuthority
    let verifier: TokenVerifier
    let key: PrivateKey

    init(admission: Account.Admission = .everyInstallation) async throws {
        let signingKey = try JSONWebKey(PrivateKey.generate(.p256), keyID: "authority-1")
        authority = try AttestationAuthority(
            issuer: "https://authority.example",
            signingKey: signingKey,
            store: store,
            time: time.source
        )
        verifier = try TokenVerifier(
            key: signingKey,
            issuer: "https://authority.example",
            audience: "api.example.com"
        )
        key = try PrivateKey.generate(.p256)
        try await authority.addAccount(
            Account(
                id: "account-1",
                protectedHosts: [HostPattern("api.example.com")],
                admission: admission,
                developmentKeyHashes: [AttestationAuthority.developmentKeyHash("development-key")]
            )
        )
    }

    /// Another process of the authority, over a store of its own.
    func authority(over store: any AuthorityStore) throws -> AttestationAuthority {
        try AttestationAuthority(
            issuer: "https://authority.example",
            signingKey: JSONWebKey(PrivateKey.generate(.p256), keyID: "authority-1"),
            store: store,
            time: time.source
        )
    }

    /// Enrols the fixture's key; several installations may have one.
    func enroll(_ other: PrivateKey? = nil) async throws -> Installation {
        let key = other ?? key
        let nonce = try await authority.makeNonce(account: "account-1")
        let statement = InstallationProof.enrollment(
            account: "account-1",
            nonce: nonce,
            publicKey: key.publicKey.spkiDER
        )
        return try await authority.enroll(
            account: "account-1",
            publicKey: key.publicKey.spkiDER,
            nonce: nonce,
            proof: key.sign(statement.signedBytes, using: .ecdsaP256SHA256)
        )
    }

    /// Who asks, with a proof that a test may make wrong.
    func access(
        _ installation: String,
        nonce: String? = nil,
        developmentKey: String? = nil,
        key other: PrivateKey? = nil,
        proving proof: (String) -> InstallationProof
    ) async throws -> InstallationAccess {
        var fresh = nonce
        if fresh == nil { fresh = try await authority.makeNonce(account: "account-1") }
        let text = fresh ?? ""
        return InstallationAccess(
            account: "account-1",
            installation: installation,
            nonce: text,
            proof: try (other ?? key).sign(proof(text).signedBytes, using: .ecdsaP256SHA256),
            clientAddress: "192.0.2.1",
            developmentKey: developmentKey
        )
    }

    func tokenAccess(
        _ installation: String,
        nonce: String? = nil,
        developmentKey: String? = nil,
        key: PrivateKey? = nil,
        audience: String = "api.example.com",
        dataHash: [UInt8]? = nil
    ) async throws -> InstallationAccess {
        try await access(installation, nonce: nonce, developmentKey: developmentKey, key: key) { nonce in
            .token(
                account: "account-1",
                installation: installation,
                nonce: nonce,
                audience: audience,
                dataHash: dataHash
            )
        }
    }

    func stringAccess(
        _ installation: String,
        _ key: String,
        _ definition: String? = nil
    ) async throws -> InstallationAccess {
        let hash = try definition.map { try HashAlgorithm.sha256.hash(Array($0.utf8)) }
        return try await access(installation) { nonce in
            .secureString(
                account: "account-1",
                installation: installation,
                nonce: nonce,
                key: key,
                definitionHash: hash
            )
        }
    }

    func customAccess(_ installation: String, payload: String) async throws -> InstallationAccess {
        let hash = try HashAlgorithm.sha256.hash(Array(payload.utf8))
        return try await access(installation) {
            .customJWT(account: "account-1", installation: installation, nonce: $0, payloadHash: hash)
        }
    }

    func accountKeyAccess(
        _ installation: String,
        _ identifier: String? = nil
    ) async throws -> InstallationAccess {
        try await access(installation) {
            .accountKey(account: "account-1", installation: installation, nonce: $0, identifier: identifier)
        }
    }
}
