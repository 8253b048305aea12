import AttestationAuthority
import Testing

@Suite("What a proof is good for") struct ProofTests {
    @Test func aProofIsGoodForWhatItSaysAlone() async throws {
        let fixture = try await AuthorityFixture()
        let authority = fixture.authority
        let installation = try await fixture.enroll().id
        try await authority.rotateAccountKey(account: "account-1")
        try await authority.setSecureString("key", account: "account-1", to: "secret")
        func refused(
            _ access: InstallationAccess,
            _ body: (InstallationAccess) async throws -> Void
        ) async throws {
            let error = try await #require(throws: AuthorityError.self) { try await body(access) }
            #expect(error.code == .invalidProof)
        }
        func reading(_ key: String = "key", _ definition: String? = nil) async throws -> InstallationAccess {
            try await fixture.stringAccess(installation, key, definition)
        }
        for definition in ["", "other"] {
            try await refused(reading()) {
                _ = try await authority.secureString($0, key: "key", newDefinition: definition)
            }
            try await refused(reading("key", definition)) {
                _ = try await authority.secureString($0, key: "key", newDefinition: definition + "!")
            }
            try await refused(reading("key", definition)) {
                _ = try await authority.secureString($0, key: "key", newDefinition: nil)
            }
        }
        // Base 64 holds no line break, so a key cannot pass for the line after it.
        try await refused(reading("other\n-")) {
            _ = try await authority.secureString($0, key: "key", newDefinition: nil)
        }
        try await refused(reading()) { _ = try await authority.customJWT($0, payload: #"{"a":1}"#) }
        try await refused(fixture.customAccess(installation, payload: #"{"a":2}"#)) {
            _ = try await authority.customJWT($0, payload: #"{"a":1}"#)
        }
        try await refused(reading()) { _ = try await authority.accountKey($0) }
        try await refused(fixture.accountKeyAccess(installation)) {
            _ = try await authority.accountKey($0, identifier: "another")
        }
        try await refused(fixture.accountKeyAccess(installation)) {
            _ = try await authority.secureString($0, key: "key", newDefinition: nil)
        }
        #expect(try await authority.secureString(reading(), key: "key", newDefinition: nil) == "secret")
    }

    @Test func noTwoStatementsAreOneText() {
        let hash = [UInt8](repeating: 7, count: 32)
        let statements: [InstallationProof] = [
            .secureString(account: "a", installation: "i", nonce: "n", key: "k", definitionHash: nil),
            .secureString(account: "a", installation: "i", nonce: "n", key: "k", definitionHash: hash),
            .secureString(account: "a", installation: "i", nonce: "n", key: "k\n-", definitionHash: nil),
            .customJWT(account: "a", installation: "i", nonce: "n", payloadHash: hash),
            .accountKey(account: "a", installation: "i", nonce: "n", identifier: nil),
            .accountKey(account: "a", installation: "i", nonce: "n", identifier: "-"),
        ]
        #expect(Set(statements.map(\.signedBytes)).count == statements.count)
    }
}
