import AppAttestation
import Cryptography
import Testing

@Suite("Made attestations") struct SyntheticTests {
    typealias Change = @Sendable (inout TestMint.Parts) -> Void

    static let refused: [(String, AttestationError.Code, Change)] = [
        ("another format", .unknownFormat, { $0.fmt = .text("apple-appattest2") }),
        ("the format as octets", .malformedObject, { $0.fmt = .bytes(Array("apple-appattest".utf8)) }),
        ("no certificate", .certificateCount, { $0.certificates = { _ in [] } }),
        ("one certificate", .certificateCount, { $0.certificates = { Array($0.prefix(1)) } }),
        ("three certificates", .certificateCount, { $0.certificates = { $0 + [$0[1]] } }),
        ("an empty certificate", .invalidCertificate, { $0.certificates = { [.bytes([]), $0[1]] } }),
        ("a certificate as text", .malformedStatement, { $0.certificates = { [.text("a"), $0[1]] } }),
        ("an authority as leaf", .invalidCertificate, { $0.certificates = { [$0[1], $0[1]] } }),
        ("the wrong order", .invalidCertificate, { $0.certificates = { $0.reversed() } }),
        ("a leaf that may issue", .invalidCertificate, { $0.leafIsCA = true }),
        ("x5c as map", .malformedStatement, { $0.statement = { _ in CBOREncoder.map(["x5c": .map([])]) } }),
        ("an empty statement", .malformedStatement, { $0.statement = { _ in .map([]) } }),
        ("a statement as array", .malformedObject, { $0.statement = { _ in .array([]) } }),
        (
            "an unknown member", .malformedStatement,
            { $0.statement = { .map(($0.members ?? []) + [CBORMember(.text("x"), .null)]) } }
        ),
        ("a receipt as text", .malformedStatement, { $0.receipt = .text("") }),
        ("no nonce", .missingNonce, { $0.nonceExtension = nil }),
        (
            "a nonce with an octet after it", .missingNonce,
            { $0.nonceExtension = { [0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] + $0 + [0] } }
        ),
        ("a bare nonce", .missingNonce, { $0.nonceExtension = { [0, 0, 0, 0, 0, 0] + $0 } }),
        (
            "another nonce", .nonceMismatch,
            { $0.nonceExtension = { [0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] + $0.reversed() } }
        ),
        ("another app", .appIDMismatch, { $0.appID = "1234567890.org.example.other" }),
        ("a counter of one", .counterNotZero, { $0.counter = 1 }),
        ("the greatest counter", .counterNotZero, { $0.counter = .max }),
        ("development", .environmentNotAllowed, { $0.aaguid = AppAttestEnvironment.development.aaguid }),
        ("half of production", .unknownAuthenticator, { $0.aaguid[15] = 1 }),
        ("an AAGUID of zeros", .unknownAuthenticator, { $0.aaguid = [UInt8](repeating: 0, count: 16) }),
        ("another credential", .credentialIDMismatch, { $0.credentialID = [UInt8](repeating: 1, count: 32) }),
        (
            "a longer credential", .credentialIDMismatch,
            { $0.credentialID = [UInt8](repeating: 1, count: 33) }
        ),
        ("no credential", .malformedAuthenticatorData, { $0.credentialID = [] }),
        (
            "a credential of 1024 octets", .malformedAuthenticatorData,
            { $0.credentialID = [UInt8](repeating: 1, count: 1024) }
        ),
        ("another key", .keyMismatch, { $0.coseKey = try? PrivateKey.generate(.p256).publicKey }),
        (
            "a key with an option", .malformedAuthenticatorData,
            { $0.coseMembers = [CBORMember(.unsigned(4), .array([]))] }
        ),
        ("no flag AT", .malformedAuthenticatorData, { $0.flags = 0x80 }),
        ("flag ED without extensions", .malformedAuthenticatorData, { $0.flags = 0xC0 }),
        ("an array for extensions", .malformedAuthenticatorData, { $0.tail = [0x80] }),
        ("two maps of extensions", .malformedAuthenticatorData, { $0.tail = [0xA0, 0xA0] }),
        ("extensions cut short", .malformedAuthenticatorData, { $0.tail = [0xA1, 0x61] }),
        (
            "a version as number", .malformedExtensions,
            { $0.tail = TestMint.extensions(["apple_bundle_version_01": .unsigned(1)]) }
        ),
        (
            "a category of three octets", .malformedExtensions,
            { $0.tail = TestMint.extensions(["apple_validation_category_01": .bytes([1, 0, 0])]) }
        ),
        (
            "a category above 32 bits", .malformedExtensions,
            { $0.tail = TestMint.extensions(["apple_validation_category_01": .unsigned(1 << 32)]) }
        ),
    ]

    @Test(arguments: refused.indices)
    func isRefused(index: Int) throws {
        let (name, code, change) = Self.refused[index]
        let mint = try TestMint()
        var parts = TestMint.Parts()
        change(&parts)
        let object = try mint.attestation(parts)
        let error = try #require(throws: AttestationError.self, Comment(rawValue: name)) {
            try mint.verifier().verify(object, keyID: mint.keyID, clientDataHash: TestMint.hash)
        }
        #expect(error.code == code, Comment(rawValue: name))
        #expect(error.description.contains(code.description))
    }

    @Test func theUnchangedOneVerifies() throws {
        let mint = try TestMint()
        let proof = try mint.verifier()
            .verify(mint.attestation(), keyID: mint.keyID, clientDataHash: TestMint.hash)
        let told = AppAttestExtensions()
        #expect(proof.key == mint.attestedKey(attestedExtensions: told, receipt: [1, 2, 3]))
        #expect(proof.format == "apple-appattest")
        #expect(proof.receipt == [1, 2, 3])
        #expect(proof.verifiedAt == TestMint.now)
        #expect(proof.appExtensions?.validationCategory == nil)
    }

    @Test(arguments: [UInt8(0x40), 0xC0], [CBORValue.bytes([3, 0, 0, 0]), .unsigned(3)])
    func extensionsAreReadWhateverTheFlagSays(flags: UInt8, category: CBORValue) throws {
        let mint = try TestMint()
        var parts = TestMint.Parts()
        parts.flags = flags
        parts.tail = TestMint.extensions([
            "apple_bundle_version_01": .text("1314"), "apple_validation_category_01": category,
            "apple_code_directory_hash_01": .bytes([1]),
        ])
        let object = try mint.attestation(parts)
        let proof = try mint.verifier().verify(object, keyID: mint.keyID, clientDataHash: TestMint.hash)
        #expect(proof.appExtensions?.bundleVersion == "1314")
        #expect(proof.appExtensions?.validationCategory == .development)
        let policies: [(AppAttestExtensionPolicy, Bool)] = [
            (.only([.development]), true), (.only([.appStore, .testFlight]), false),
            (.onlyOrMissing([.development]), true), (.onlyOrMissing([.appStore]), false), (.any, true),
        ]
        for (policy, isAccepted) in policies {
            let verifier = try mint.verifier(extensions: policy)
            let outcome = Result {
                try verifier.verify(object, keyID: mint.keyID, clientDataHash: TestMint.hash)
            }
            switch outcome {
            case .success: #expect(isAccepted)
            case .failure(let error):
                #expect(!isAccepted)
                #expect((error as? AttestationError)?.code == .extensionsNotAllowed)
            }
        }
    }

    @Test func aPolicyMayWantAnExtension() throws {
        let mint = try TestMint()
        let object = try mint.attestation()
        #expect(throws: Never.self) {
            try mint.verifier(extensions: .onlyOrMissing([.appStore]))
                .verify(object, keyID: mint.keyID, clientDataHash: TestMint.hash)
        }
        let error = try #require(throws: AttestationError.self) {
            try mint.verifier(extensions: .only([.appStore]))
                .verify(object, keyID: mint.keyID, clientDataHash: TestMint.hash)
        }
        #expect(error.code == .extensionsNotAllowed)
    }

    @Test func theAuthorityMustBeInForceAndBeOne() throws {
        for (mint, code) in [
            (try TestMint(authorityEnd: TestMint.now - 1), AttestationError.Code.certificateExpired),
            (try TestMint(authorityIsCA: false), .untrustedCertificate),
        ] {
            let object = try mint.attestation()
            let error = try #require(throws: AttestationError.self) {
                try mint.verifier().verify(object, keyID: mint.keyID, clientDataHash: TestMint.hash)
            }
            #expect(error.code == code)
        }
    }

    @Test func theLeafIsGoodUntilItsLastSecond() throws {
        let mint = try TestMint()
        let object = try mint.attestation()
        // 2026-01-01T03:00:00Z to 2026-01-04T03:00:00Z.
        let (first, last) = (TestMint.now - 86_400, TestMint.now + 2 * 86_400)
        for (time, code) in [
            (first - 1, AttestationError.Code.certificateNotYetValid), (first, nil), (last - 1, nil),
            (last, .certificateExpired),
        ] {
            let outcome = Result {
                try mint.verifier(time: time)
                    .verify(object, keyID: mint.keyID, clientDataHash: TestMint.hash)
            }
            if case .failure(let error) = outcome {
                #expect((error as? AttestationError)?.code == code)
            } else {
                #expect(code == nil)
            }
        }
    }

    @Test func anotherRootIsNotTrusted() throws {
        let mint = try TestMint()
        let verifier = try AttestationVerifier(
            appIDs: [TestMint.appID],
            formats: [AppleAppAttestFormat()],
            time: .fixed(TestMint.now)
        )
        let error = try #require(throws: AttestationError.self) {
            try verifier.verify(mint.attestation(), keyID: mint.keyID, clientDataHash: TestMint.hash)
        }
        #expect(error.code == .untrustedCertificate)
        let none = try #require(throws: AttestationError.self) { try AppleAppAttestFormat(roots: []) }
        #expect(none.code == .libraryFailure)
    }
}
