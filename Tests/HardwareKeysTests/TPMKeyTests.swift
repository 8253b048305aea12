import Cryptography
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    fileprivate static var withTPM: Self {
        .enabled(if: SoftwareTPM.absence == nil, Comment(rawValue: SoftwareTPM.absence ?? ""))
    }
}

@Suite("Keys in a TPM", .serialized, .withTPM, .timeLimit(.minutes(2))) struct TPMKeyTests {
    static let message = Array("the message".utf8)

    func code<Result>(_ body: () throws(CryptographyError) -> Result) -> CryptographyError.Code? {
        caught(body)?.code
    }

    func expectSigns(_ key: PrivateKey, _ tpm: SoftwareTPM) async throws {
        let fixed = try key.sign(Self.message, using: .ecdsaP256SHA256)
        #expect(fixed.count == 64)
        #expect(try key.publicKey.isValidSignature(fixed, for: Self.message, using: .ecdsaP256SHA256))
        let der = try key.sign(Self.message, using: .ecdsaP256SHA256, encoding: .der)
        #expect(try await tpm.isValid(der, for: Self.message, key: key.publicKey.pem))
        #expect(try await !tpm.isValid(der, for: Self.message + [0], key: key.publicKey.pem))
    }

    @Test func aKeyIsMadeAndSigns() async throws {
        let tpm = try await SoftwareTPM()
        let made = try KeyProvider.tpm2().generateKey()
        #expect(made.privateKey.keyType == .p256 && made.privateKey.isHardwareBound)
        #expect(made.pem.hasPrefix("-----BEGIN TSS2 PRIVATE KEY-----\n"))
        #expect("\(made.privateKey)" == "PrivateKey(p256)")
        try await expectSigns(made.privateKey, tpm)
        // Only the device can read the text.
        #expect(code { () throws(CryptographyError) in try PrivateKey(pem: made.pem) } == .unsupportedKey)
    }

    @Test func aKeyOfP384Signs() async throws {
        let tpm = try await SoftwareTPM()
        let key = try KeyProvider.tpm2().generateKey(.p384).privateKey
        let signature = try key.sign(Self.message, using: .ecdsaP384SHA384)
        #expect(signature.count == 96)
        #expect(try key.publicKey.isValidSignature(signature, for: Self.message, using: .ecdsaP384SHA384))
        withExtendedLifetime(tpm) {}
    }

    @Test func aKeyIsLoadedFromItsText() async throws {
        let tpm = try await SoftwareTPM()
        let provider = try KeyProvider.tpm2()
        let made = try provider.generateKey()
        let path = try tpm.folder.write("key.pem", made.pem)
        for _ in 0..<4 {
            let loaded = try PrivateKey(storeURI: "file:" + path, provider: provider)
            #expect(loaded.publicKey == made.privateKey.publicKey && loaded.isHardwareBound)
            try await expectSigns(loaded, tpm)
        }
        let loaded = try PrivateKey(pem: made.pem, provider: provider)
        #expect(loaded.publicKey == made.privateKey.publicKey)
    }

    @Test func aKeyIsLoadedFromItsHandle() async throws {
        let tpm = try await SoftwareTPM()
        try await tpm.makeLastingKey("0x81000001")
        try await tpm.makeLastingKey("0x81000002", passphrase: "secret")
        let provider = try KeyProvider.tpm2()
        try await expectSigns(PrivateKey(storeURI: "handle:0x81000001", provider: provider), tpm)
        let secret = SecretBytes(Array("secret".utf8))
        for uri in ["handle:0x81000002", "handle:0x81000002?pass"] {
            try await expectSigns(PrivateKey(storeURI: uri, provider: provider, passphrase: secret), tpm)
        }
    }

    @Test func theKeyStaysInside() async throws {
        let tpm = try await SoftwareTPM()
        let key = try KeyProvider.tpm2().generateKey().privateKey
        #expect(code(key.pkcs8DER) == .notExportable)
        #expect(code(key.pkcs8PEM) == .notExportable)
        #expect(code(key.scalar) == .notExportable)
        #expect(try key.ed25519Seed() == nil && key.rsaNumbers() == nil)
        #expect(try !PrivateKey.generate(.p256).isHardwareBound)
        withExtendedLifetime(tpm) {}
    }

    @Test func aKeyHoldsItsProvider() async throws {
        let tpm = try await SoftwareTPM()
        weak var provider: KeyProvider?
        do {
            let key = try {
                let made = try KeyProvider.tpm2()
                provider = made
                return try made.generateKey().privateKey
            }()
            #expect(provider != nil)
            try await expectSigns(key, tpm)
        }
        #expect(provider == nil)
    }

    @Test func aCertificateIsSignedInside() async throws {
        let tpm = try await SoftwareTPM()
        let key = try KeyProvider.tpm2().generateKey().privateKey
        let certificate = try CertificateBuilder(
            commonName: "installation",
            role: .authority(pathLength: 0),
            notBefore: 1_700_000_000,
            notAfter: 4_000_000_000
        ).selfSigned(with: key)
        let path = try tpm.folder.write("cert.pem", certificate.pem)
        let verified = try await Command.run("openssl", ["verify", "-check_ss_sig", "-CAfile", path, path])
        #expect(verified.status == 0, "\(verified.output)")
    }

    @Test func manyThreadsSignOneAfterTheOther() async throws {
        let tpm = try await SoftwareTPM()
        let provider = try KeyProvider.tpm2()
        let keys = [try provider.generateKey().privateKey, try provider.generateKey().privateKey]
        let right = try await withThrowingTaskGroup(of: Int.self) { group in
            for thread in 0..<4 {
                let key = keys[thread % 2]
                group.addTask {
                    try await blocking {
                        try (0..<50).count { number in
                            let message = Array("\(thread) \(number)".utf8)
                            let signature = try key.sign(message, using: .ecdsaP256SHA256)
                            return try key.publicKey.isValidSignature(
                                signature,
                                for: message,
                                using: .ecdsaP256SHA256
                            )
                        }
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(right == 200)
        withExtendedLifetime(tpm) {}
    }
}
