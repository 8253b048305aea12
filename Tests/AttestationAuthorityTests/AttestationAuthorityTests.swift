import AttestationAuthority
import Cryptography
import Encodings
import HTTPMessages
import JSONWebTokens
import ProtectionTesting
import Testing
import Timing

@Suite("Authority") struct AttestationAuthorityTests {
    private func code(_ body: () async throws -> Void) async throws -> AuthorityError.Code {
        try await #require(throws: AuthorityError.self) { try await body() }.code
    }

    @Test func aTokenSaysWhatItShould() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let hash = try HashAlgorithm.sha256.hash(Array("credential".utf8))
        let access = try await fixture.tokenAccess(installation.id, dataHash: hash)
        let grant = try await fixture.authority.mintToken(access, audience: "api.example.com", dataHash: hash)
        let now = fixture.time.source.secondsSince1970
        let token = try fixture.verifier.verify(grant.token, at: now)
        #expect(token.header.type == "JWT" && token.header.keyID == "authority-1")
        #expect(token.claims.subject == "account-1|\(installation.id)")
        #expect(
            token.claims.issuedAt == now && token.claims.expiration == now + 300 && grant.endsAt == now + 300
        )
        #expect(token.claims["did"]?.string == installation.id)
        #expect(try Base64.standard.decode(installation.id).count == 16)
        #expect(token.claims["ipk"]?.string == Base64.standard.encode(fixture.key.publicKey.spkiDER))
        #expect(token.claims["pay"]?.string == Base64.standard.encode(hash))
        #expect(token.claims["ip"]?.string == "192.0.2.1")
        #expect(token.claims["arc"]?.string == grant.arc)
        #expect(!"\(grant)".contains(grant.token) && grant.loggableForm.contains(#""arc":"#))
        let attestation = try #require(try await fixture.authority.attestation(arc: grant.arc))
        #expect(attestation.installation == installation.id && attestation.rejectionReasons.isEmpty)
    }

    @Test func anUnboundTokenHasNoBindingClaim() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let grant = try await fixture.authority.mintToken(
            try await fixture.tokenAccess(installation.id),
            audience: "api.example.com",
            dataHash: nil
        )
        let token = try fixture.verifier.verify(grant.token, at: fixture.time.source.secondsSince1970)
        #expect(token.claims["pay"] == nil)
    }

    @Test func aNonceIsGoodOnce() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let access = try await fixture.tokenAccess(installation.id)
        let mint = {
            _ = try await fixture.authority.mintToken(access, audience: "api.example.com", dataHash: nil)
        }
        try await mint()
        #expect(try await code(mint) == .invalidNonce)
        let made = try await fixture.tokenAccess(installation.id, nonce: "made-up")
        #expect(
            try await code {
                _ = try await fixture.authority.mintToken(made, audience: "api.example.com", dataHash: nil)
            }
                == .invalidNonce
        )
    }

    @Test func aNonceEnds() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let access = try await fixture.tokenAccess(installation.id)
        fixture.time.advance(by: .seconds(60))
        #expect(
            try await code {
                _ = try await fixture.authority.mintToken(access, audience: "api.example.com", dataHash: nil)
            }
                == .invalidNonce
        )
    }

    @Test func aNonceIsOfOneAccount() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        try await fixture.authority.addAccount(
            Account(id: "other", protectedHosts: [HostPattern("api.example.com")])
        )
        let nonce = try await fixture.authority.makeNonce(account: "other")
        let access = try await fixture.tokenAccess(installation.id, nonce: nonce)
        #expect(
            try await code {
                _ = try await fixture.authority.mintToken(access, audience: "api.example.com", dataHash: nil)
            }
                == .invalidNonce
        )
    }

    @Test func oneOfManyCallersGetsANonce() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let access = try await fixture.tokenAccess(installation.id)
        let authority = fixture.authority
        let granted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    (try? await authority.mintToken(access, audience: "api.example.com", dataHash: nil))
                        != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(granted == 1)
    }

    @Test func aProofIsForOnePurposeAndOneKey() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let hash = [UInt8](repeating: 1, count: 32)
        let authority = fixture.authority
        let foreign = try await fixture.tokenAccess(installation.id, key: PrivateKey.generate(.p256))
        let plain = try await fixture.accountKeyAccess(installation.id)
        let bound = try await fixture.tokenAccess(installation.id, dataHash: hash)
        for access in [foreign, plain, bound] {
            #expect(
                try await code {
                    _ = try await authority.mintToken(access, audience: "api.example.com", dataHash: nil)
                }
                    == .invalidProof
            )
        }
        let token = try await fixture.tokenAccess(installation.id)
        #expect(try await code { _ = try await authority.customJWT(token, payload: "{}") } == .invalidProof)
    }

    @Test func whatIsAskedForIsChecked() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let authority = fixture.authority
        let access = try await fixture.tokenAccess(installation.id)
        #expect(
            try await code {
                _ = try await authority.mintToken(access, audience: "evil.example", dataHash: nil)
            }
                == .unknownAudience
        )
        #expect(
            try await code {
                _ = try await authority.mintToken(access, audience: "api.example.com", dataHash: [1])
            }
                == .invalidDataHash
        )
        let stranger = try await fixture.tokenAccess("AAAAAAAAAAAAAAAAAAAAAA==")
        #expect(
            try await code {
                _ = try await authority.mintToken(stranger, audience: "api.example.com", dataHash: nil)
            }
                == .unknownInstallation
        )
        #expect(try await code { _ = try await authority.makeNonce(account: "nobody") } == .unknownAccount)
    }

    @Test func accountsAreChecked() async throws {
        let fixture = try await AuthorityFixture()
        let hosts = [try HostPattern("api.example.com")]
        for id in ["", "a b", "a\nb", "é"] {
            #expect(
                try await code {
                    try await fixture.authority.addAccount(Account(id: id, protectedHosts: hosts))
                }
                    == .invalidAccount
            )
        }
        #expect(
            try await code {
                try await fixture.authority.addAccount(Account(id: "account-1", protectedHosts: hosts))
            }
                == .accountExists
        )
    }

    @Test func enrolmentNeedsAKeyOfTheRightKindAndItsProof() async throws {
        let fixture = try await AuthorityFixture()
        func enroll(_ publicKey: [UInt8], _ key: PrivateKey) async throws {
            let nonce = try await fixture.authority.makeNonce(account: "account-1")
            let statement = InstallationProof.enrollment(
                account: "account-1",
                nonce: nonce,
                publicKey: publicKey
            )
            let algorithm: SignatureAlgorithm = key.keyType == .p384 ? .ecdsaP384SHA384 : .ecdsaP256SHA256
            _ = try await fixture.authority.enroll(
                account: "account-1",
                publicKey: publicKey,
                nonce: nonce,
                proof: key.sign(statement.signedBytes, using: algorithm)
            )
        }
        let large = try PrivateKey.generate(.p384)
        #expect(try await code { try await enroll(large.publicKey.spkiDER, large) } == .invalidKey)
        #expect(try await code { try await enroll([1, 2, 3], fixture.key) } == .invalidKey)
        let other = try PrivateKey.generate(.p256)
        #expect(try await code { try await enroll(other.publicKey.spkiDER, fixture.key) } == .invalidProof)
    }

    @Test func admissionIsByApprovalOrDevelopmentKey() async throws {
        let fixture = try await AuthorityFixture(admission: .approvedInstallations)
        let installation = try await fixture.enroll()
        let authority = fixture.authority
        func mint(developmentKey: String? = nil) async throws -> TokenGrant {
            try await authority.mintToken(
                try await fixture.tokenAccess(installation.id, developmentKey: developmentKey),
                audience: "api.example.com",
                dataHash: nil
            )
        }
        for (key, reasons) in [(nil, "not-approved"), ("wrong", "not-approved,unknown-development-key")] {
            let error = try await #require(throws: AuthorityError.self) {
                try await mint(developmentKey: key)
            }
            #expect(error.code == .rejected && error.rejectionReasons == reasons)
            let attestation = try #require(try await authority.attestation(arc: error.arc ?? ""))
            #expect(attestation.rejectionReasons.joined(separator: ",") == reasons)
        }
        _ = try await mint(developmentKey: "development-key")
        try await authority.setApproval(true, installation: installation.id)
        _ = try await mint()
        try await authority.setRevocation(true, installation: installation.id)
        for key in [nil, "development-key"] {
            let error = try await #require(throws: AuthorityError.self) {
                try await mint(developmentKey: key)
            }
            #expect(error.rejectionReasons == "revoked")
        }
        try await authority.setRevocation(false, installation: installation.id)
        _ = try await mint()
        #expect(
            try await code { try await authority.setApproval(true, installation: "nobody") }
                == .unknownInstallation
        )
    }

    @Test func secureStringsAreDefinedReadAndDeleted() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        func string(_ key: String, _ definition: String? = nil) async throws -> String {
            try await fixture.authority.secureString(
                try await fixture.stringAccess(installation.id, key, definition),
                key: key,
                newDefinition: definition
            )
        }
        #expect(try await code { _ = try await string("key") } == .unknownStringKey)
        #expect(try await string("key", "secret") == "secret")
        #expect(try await string("key") == "secret")
        #expect(try await code { _ = try await string("key", "") } == .unknownStringKey)
        #expect(try await code { _ = try await string("key") } == .unknownStringKey)
        for key in ["", String(repeating: "k", count: 65), String(repeating: "é", count: 33)] {
            #expect(try await code { _ = try await string(key) } == .invalidStringKey)
            #expect(
                try await code {
                    try await fixture.authority.setSecureString(key, account: "account-1", to: "x")
                }
                    == .invalidStringKey
            )
        }
        try await fixture.authority.setSecureString("operator", account: "account-1", to: "set")
        #expect(try await string("operator") == "set")
        #expect(
            try await code { try await fixture.authority.setSecureString("k", account: "nobody", to: "x") }
                == .unknownAccount
        )
    }

    @Test func aCustomJWTIsNoToken() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let payload = #"{"order":17,"note":"é"}"#
        let grant = try await fixture.authority.customJWT(
            try await fixture.customAccess(installation.id, payload: payload),
            payload: payload
        )
        var verifier = fixture.verifier
        verifier.audience = nil
        let now = fixture.time.source.secondsSince1970
        let token = try verifier.verify(grant.token, at: now)
        #expect(token.header.type == AttestationAuthority.customTokenType)
        #expect(token.claims["order"] == 17 && token.claims["note"] == "é")
        verifier.acceptedTypes = ["JWT"]
        let error = try #require(throws: TokenError.self) { try verifier.verify(grant.token, at: now) }
        #expect(error.code == .wrongType)
    }

    @Test(arguments: [
        "", "[]", "1", #"{"a":1,"a":2}"#, #"{"exp":1}"#, #"{"iss":"x"}"#, #"{"aud":"x"}"#, #"{"pay":"x"}"#,
    ])
    func aPayloadMustBeTheAppsOwn(payload: String) async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let access = try await fixture.customAccess(installation.id, payload: payload)
        #expect(
            try await code { _ = try await fixture.authority.customJWT(access, payload: payload) }
                == .invalidPayload
        )
    }

    @Test func aStoreThatFailsIsReported() async throws {
        let authority = try AttestationAuthority(
            issuer: "i",
            signingKey: JSONWebKey(PrivateKey.generate(.p256)),
            store: FailingStore()
        )
        #expect(try await code { _ = try await authority.makeNonce(account: "account-1") } == .storeFailed)
    }
}
