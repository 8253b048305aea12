import AttestationAuthority
import Cryptography
import Encodings
import InstallationKeys
import JSONWebTokens
import ProtectionTesting
import TestSupport
import Testing
import Timing

@Suite("Keys of installations and accounts") struct KeyTests {
    private func replacement(
        _ fixture: AuthorityFixture,
        _ installation: String,
        _ key: PrivateKey,
        oldKey: PrivateKey? = nil,
        provedBy prover: PrivateKey? = nil,
        at authority: AttestationAuthority? = nil
    ) async throws -> Installation {
        let nonce = try await fixture.authority.makeNonce(account: "account-1")
        let statement = InstallationProof.replacement(
            account: "account-1",
            installation: installation,
            nonce: nonce,
            publicKey: key.publicKey.spkiDER
        )
        return try await (authority ?? fixture.authority).replaceKey(
            try await fixture.access(installation, nonce: nonce, key: oldKey) { _ in statement },
            publicKey: key.publicKey.spkiDER,
            proof: (prover ?? key).sign(statement.signedBytes, using: .ecdsaP256SHA256)
        )
    }

    private func code(_ body: () async throws -> Void) async throws -> AuthorityError.Code {
        try await #require(throws: AuthorityError.self) { try await body() }.code
    }

    @Test func aReplacedKeyIsTheOneThatTokensName() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let key = try PrivateKey.generate(.p256)
        let replaced = try await replacement(fixture, installation.id, key)
        #expect(replaced.id == installation.id && replaced.publicKey == key.publicKey.spkiDER)
        let grant = try await fixture.authority.mintToken(
            fixture.tokenAccess(installation.id, key: key),
            audience: "api.example.com",
            dataHash: nil
        )
        let token = try fixture.verifier.verify(grant.token, at: fixture.time.source.secondsSince1970)
        #expect(token.claims["ipk"]?.string == Base64.standard.encode(key.publicKey.spkiDER))
        let refusal = try await code {
            _ = try await fixture.authority.mintToken(
                fixture.tokenAccess(installation.id),
                audience: "api.example.com",
                dataHash: nil
            )
        }
        #expect(refusal == .invalidProof)
    }

    @Test func bothKeysMustSignTheReplacement() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let key = try PrivateKey.generate(.p256)
        let stranger = try PrivateKey.generate(.p256)
        #expect(
            try await code {
                _ = try await replacement(fixture, installation.id, key, oldKey: stranger)
            } == .invalidProof
        )
        #expect(
            try await code {
                _ = try await replacement(fixture, installation.id, key, provedBy: stranger)
            } == .invalidProof
        )
        let wrongCurve = try PrivateKey.generate(.p384)
        #expect(
            try await code {
                _ = try await replacement(fixture, installation.id, wrongCurve, provedBy: stranger)
            } == .invalidKey
        )
        #expect(try await fixture.store.installation(installation.id)?.publicKey == installation.publicKey)
    }

    @Test func aRevokedInstallationKeepsItsKey() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        try await fixture.authority.setRevocation(true, installation: installation.id)
        let key = try PrivateKey.generate(.p256)
        #expect(
            try await code { _ = try await replacement(fixture, installation.id, key) } == .rejected
        )
    }

    @Test func aRevocationInTheMiddleOfAReplacementHolds() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let authority = try fixture.authority(
            over: InterruptedStore(fixture.store, after: .outcome) {
                try await fixture.authority.setRevocation(true, installation: installation.id)
            }
        )
        let key = try PrivateKey.generate(.p256)
        let refusal = try await code {
            _ = try await replacement(fixture, installation.id, key, at: authority)
        }
        #expect(refusal == .rejected)
        let present = try #require(try await fixture.store.installation(installation.id))
        #expect(present.isRevoked && present.publicKey == installation.publicKey)
    }

    @Test func anApprovalInTheMiddleOfAReplacementHoldsBoth() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let authority = try fixture.authority(
            over: InterruptedStore(fixture.store, after: .outcome) {
                try await fixture.authority.setApproval(true, installation: installation.id)
            }
        )
        let key = try PrivateKey.generate(.p256)
        let replaced = try await replacement(fixture, installation.id, key, at: authority)
        #expect(replaced.isApproved && replaced.publicKey == key.publicKey.spkiDER)
        #expect(try await fixture.store.installation(installation.id) == replaced)
    }

    @Test(arguments: [true, false])
    func aReplacementInTheMiddleOfAnOperatorsChangeHolds(isRevocation: Bool) async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let key = try PrivateKey.generate(.p256)
        let authority = try fixture.authority(
            over: InterruptedStore(fixture.store, after: .reading) {
                _ = try await replacement(fixture, installation.id, key)
            }
        )
        if isRevocation {
            try await authority.setRevocation(true, installation: installation.id)
        } else {
            try await authority.setApproval(true, installation: installation.id)
        }
        let present = try #require(try await fixture.store.installation(installation.id))
        #expect(present.publicKey == key.publicKey.spkiDER)
        #expect(present.isRevoked == isRevocation && present.isApproved == !isRevocation)
    }

    @Test func aChangeThatAlwaysComesTooLateIsGivenUp() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        var store = InterruptedStore(fixture.store)
        store.isAlwaysLate = true
        let authority = try fixture.authority(over: store)
        let key = try PrivateKey.generate(.p256)
        #expect(
            try await code { try await authority.setRevocation(true, installation: installation.id) }
                == .storeFailed
        )
        #expect(
            try await code { _ = try await replacement(fixture, installation.id, key, at: authority) }
                == .storeFailed
        )
    }

    @Test func aCancelledChangeIsNotMade() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let authority = fixture.authority
        let change = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await authority.setRevocation(true, installation: installation.id)
        }
        let error = await #expect(throws: AuthorityError.self) { try await change.value }
        #expect(error?.code == .storeFailed && error?.underlying is CancellationError)
        #expect(try await fixture.store.installation(installation.id)?.isRevoked == false)
    }

    /// The authority takes the new key, the installation does not hear of it, and begins again.
    @Test func anAnswerThatIsLostLosesNoInstallation() async throws {
        let fixture = try await AuthorityFixture()
        let folder = try TemporaryFolder()
        let file = InstallationKeyFile(path: folder["installation.key"])
        let installation = try await fixture.enroll(try file.create())
        for _ in 0..<2 {
            let successor = try file.prepareSuccessor()
            let answer = try await replacement(fixture, installation.id, successor, oldKey: file.load())
            #expect(answer.publicKey == successor.publicKey.spkiDER)
        }
        let successor = try file.promoteSuccessor(expecting: file.prepareSuccessor().publicKey)
        _ = try await fixture.authority.mintToken(
            fixture.tokenAccess(installation.id, key: file.load()),
            audience: "api.example.com",
            dataHash: nil
        )
        // Whoever does not have the new key cannot ask again, and a revocation holds.
        let stranger = try PrivateKey.generate(.p256)
        #expect(
            try await code {
                _ = try await replacement(fixture, installation.id, successor, provedBy: stranger)
            } == .invalidProof
        )
        try await fixture.authority.setRevocation(true, installation: installation.id)
        #expect(
            try await code { _ = try await replacement(fixture, installation.id, successor) } == .rejected
        )
    }

    @Test func ofTwoReplacementsByOneKeyOneHolds() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        let (first, second) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p256))
        let authority = try fixture.authority(
            over: InterruptedStore(fixture.store, after: .outcome) {
                _ = try await replacement(fixture, installation.id, first)
            }
        )
        let refusal = try await code {
            _ = try await replacement(fixture, installation.id, second, at: authority)
        }
        #expect(refusal == .invalidProof)
        #expect(
            try await fixture.store.installation(installation.id)?.publicKey == first.publicKey.spkiDER
        )
    }

    @Test func olderAccountKeysAreKnownAsLongAsTokensMayNameThem() async throws {
        let fixture = try await AuthorityFixture()
        let authority = fixture.authority
        let installation = try await fixture.enroll().id
        func fetched(_ key: AccountKey) async throws -> AccountKey {
            try await authority.accountKey(fixture.accountKeyAccess(installation, key.id), identifier: key.id)
        }
        let first = try await authority.rotateAccountKey(account: "account-1")
        let second = try await authority.rotateAccountKey(account: "account-1")
        fixture.time.advance(by: .seconds(10))
        let third = try await authority.rotateAccountKey(account: "account-1")
        for key in [first, second, third] {
            #expect(try await fetched(key) == key)
            #expect(try await authority.accountKey(key.id, account: "account-1") == key)
        }
        #expect(try await authority.accountKey(fixture.accountKeyAccess(installation)) == third)
        // The life of a token, and two minutes, after the first rotation.
        fixture.time.advance(by: .seconds(300 + 120 - 10))
        #expect(try await code { _ = try await fetched(first) } == .noAccountKey)
        #expect(try await authority.accountKey(first.id, account: "account-1") == nil)
        #expect(try await fetched(second) == second)
        fixture.time.advance(by: .seconds(10))
        #expect(try await code { _ = try await fetched(second) } == .noAccountKey)
        #expect(try await fetched(third) == third)
    }

    @Test func noMoreThanSixteenAccountKeysAreKept() async throws {
        let fixture = try await AuthorityFixture()
        var keys: [AccountKey] = []
        for _ in 0..<20 {
            keys.append(try await fixture.authority.rotateAccountKey(account: "account-1"))
        }
        let known = try await fixture.store.accountKeys(account: "account-1", now: 0)
        #expect(known == keys.suffix(16).reversed())
    }

    @Test func tokensNameTheAccountKey() async throws {
        let fixture = try await AuthorityFixture()
        let installation = try await fixture.enroll()
        #expect(
            try await code {
                _ = try await fixture.authority.accountKey(fixture.accountKeyAccess(installation.id))
            } == .noAccountKey
        )
        _ = try await fixture.authority.rotateAccountKey(account: "account-1")
        let second = try await fixture.authority.rotateAccountKey(account: "account-1")
        let fetched = try await fixture.authority.accountKey(fixture.accountKeyAccess(installation.id))
        #expect(fetched == second && fetched.secret.count == 32)
        #expect(!"\(fetched)".contains(second.secret.withBytes { Hex.encode([$0[0], $0[1], $0[2]]) }))
        try await fixture.authority.rotateAccountKey(account: "account-1")
        let grant = try await fixture.authority.mintToken(
            fixture.tokenAccess(installation.id),
            audience: "api.example.com",
            dataHash: nil
        )
        let token = try fixture.verifier.verify(grant.token, at: fixture.time.source.secondsSince1970)
        let present = try await fixture.authority.accountKey(fixture.accountKeyAccess(installation.id))
        #expect(token.claims["mskid"]?.string == present.id)
        #expect(
            try await code { try await fixture.authority.rotateAccountKey(account: "none") }
                == .unknownAccount
        )
    }
}
