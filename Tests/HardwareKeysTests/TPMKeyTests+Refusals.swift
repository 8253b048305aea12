import Cryptography
import Glibc
import TestSupport
import Testing

/// What a TPM, or what guards it here, does not do.
extension TPMKeyTests {
    @Test func thePassphraseIsDemanded() async throws {
        let tpm = try await SoftwareTPM()
        let provider = try KeyProvider.tpm2()
        let secret = SecretBytes([UInt8](repeating: 0x61, count: 32))
        let pem = try provider.generateKey(passphrase: secret).pem
        try await expectSigns(PrivateKey(pem: pem, provider: provider, passphrase: secret), tpm)
        #expect(
            code { () throws(CryptographyError) in try PrivateKey(pem: pem, provider: provider) }
                == .wrongPassphrase
        )
        let long = SecretBytes([UInt8](repeating: 0x61, count: 5000))
        #expect(
            code { () throws(CryptographyError) in
                try PrivateKey(pem: pem, provider: provider, passphrase: long)
            } == .wrongPassphrase
        )
        let wrong = SecretBytes([UInt8](repeating: 0x61, count: 31))
        let key = try PrivateKey(pem: pem, provider: provider, passphrase: wrong)
        let error = try #require(throws: CryptographyError.self) {
            try key.sign(Self.message, using: .ecdsaP256SHA256)
        }
        #expect(error.code == .wrongPassphrase && !"\(error)".contains("aaaa"))
        // After a few more, the TPM answers nobody.
        let codes = (0..<5).map { _ in
            code { () throws(CryptographyError) in try key.sign(Self.message, using: .ecdsaP256SHA256) }
        }
        #expect(codes.last == .deviceLocked)
    }

    @Test(
        arguments: [
            ("handle:0x81000009", .keyNotFound), ("handle:nonsense", .keyNotFound),
            ("file:/absent/key", .keyNotFound),
            ("nonsense:key", .keyNotFound), ("pkcs11:token=x;pin-value=1234", .keyNotFound),
            ("file:/tmp", .keyNotFound),
            ("", .invalidInput), ("key.pem", .invalidInput), ("/key.pem", .invalidInput),
            (":key", .invalidInput),
            ("fi le:/key", .invalidInput), ("file:/key\u{0}", .invalidInput), ("4:key", .invalidInput),
        ] as [(String, CryptographyError.Code)]
    )
    func whereThereIsNoKey(uri: String, expected: CryptographyError.Code) async throws {
        let tpm = try await SoftwareTPM()
        let provider = try KeyProvider.tpm2()
        let error = try #require(throws: CryptographyError.self) {
            try PrivateKey(storeURI: uri, provider: provider)
        }
        #expect(error.code == expected, "\(error)")
        #expect(!"\(error)".contains("1234"))
        // The provider is none the worse for it.
        try await expectSigns(provider.generateKey().privateKey, tpm)
    }

    /// OpenSSL's queue of errors is the thread's, and whoever else uses OpenSSL there may leave something in it.
    @Test func whatSomebodyElseLeftInTheQueueIsNoFault() async throws {
        let tpm = try await SoftwareTPM()
        let provider = try KeyProvider.tpm2()
        let pem = try provider.generateKey().pem
        typealias Open = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>) -> OpaquePointer?
        let open = unsafe unsafeBitCast(try #require(dlsym(nil, "BIO_new_file")), to: Open.self)
        #expect(unsafe open("/absent/file", "r") == nil)
        let key = try PrivateKey(pem: pem, provider: provider)
        try await expectSigns(key, tpm)
    }

    /// OpenSSL takes any key that stands in a file; here only those of the device count.
    @Test(arguments: ["software", "encrypted", "public", "two", "garbage", "empty", "damaged"])
    func whatIsNoKeyOfTheDeviceIsRefused(kind: String) async throws {
        let tpm = try await SoftwareTPM()
        let provider = try KeyProvider.tpm2()
        let pem = try provider.generateKey().pem
        let path = tpm.folder["file.pem"]
        switch kind {
        case "software": try tpm.folder.write("file.pem", PrivateKey.generate(.p256).pkcs8PEM())
        case "encrypted":
            try await tpm.shell(
                "openssl genpkey -algorithm EC -pkeyopt group:P-256 -aes256 -pass pass:x -out file.pem"
            )
        case "public": try tpm.folder.write("file.pem", PrivateKey.generate(.p256).publicKey.pem)
        case "two": try tpm.folder.write("file.pem", pem + pem)
        case "garbage": try tpm.folder.write("file.pem", "garbage")
        case "empty": try tpm.folder.write("file.pem", [])
        default:
            let body = pem.dropFirst(100)
            let other: Character = body.first == "A" ? "B" : "A"
            try tpm.folder.write("file.pem", pem.prefix(100) + String(other) + body.dropFirst())
        }
        let text = try tpm.folder.text("file.pem")
        let expected: CryptographyError.Code =
            switch kind {
            case "encrypted": .wrongPassphrase
            case "garbage", "empty": .keyNotFound
            default: .invalidKey
            }
        #expect(
            code { () throws(CryptographyError) in
                try PrivateKey(storeURI: "file:" + path, provider: provider)
            } == expected
        )
        #expect(
            code { () throws(CryptographyError) in try PrivateKey(pem: text, provider: provider) }
                == (kind == "damaged" ? .invalidKey : .invalidPEM)
        )
    }

    @Test func aKeyThatIsNotCoveredIsRefused() async throws {
        let tpm = try await SoftwareTPM()
        try await tpm.shell(
            "openssl genpkey -provider tpm2 -provider default -propquery '?provider=tpm2' -algorithm RSA -out rsa.pem"
        )
        let provider = try KeyProvider.tpm2()
        #expect(
            code { () throws(CryptographyError) in
                try PrivateKey(storeURI: "file:" + tpm.folder["rsa.pem"], provider: provider)
            } == .unsupportedKey
        )
        for type in [KeyType.ed25519, .rsa(bits: 2048)] {
            #expect(
                code { () throws(CryptographyError) in try provider.generateKey(type) } == .unsupportedKey
            )
        }
        for passphrase in [[], [0x61, 0], [UInt8](repeating: 0x61, count: 33)] as [[UInt8]] {
            #expect(
                code { () throws(CryptographyError) in
                    try provider.generateKey(passphrase: SecretBytes(passphrase))
                } == .invalidInput
            )
        }
        let key = try provider.generateKey().privateKey
        #expect(
            code { () throws(CryptographyError) in try key.sign([], using: .ecdsaP384SHA384) }
                == .algorithmMismatch
        )
    }

    @Test func aKeyDoesNotOutliveTheClearingOfItsTPM() async throws {
        let tpm = try await SoftwareTPM()
        let pem = try KeyProvider.tpm2().generateKey().pem
        _ = try PrivateKey(pem: pem, provider: KeyProvider.tpm2())
        try await tpm.shell("tpm2_clear -c p")
        #expect(
            code { () throws(CryptographyError) in try PrivateKey(pem: pem, provider: KeyProvider.tpm2()) }
                == .invalidKey
        )
    }

    @Test func aKeyOfAnotherTPMIsRefused() async throws {
        let pem = try await {
            let tpm = try await SoftwareTPM()
            defer { withExtendedLifetime(tpm) {} }
            return try KeyProvider.tpm2().generateKey().pem
        }()
        let tpm = try await SoftwareTPM()
        #expect(
            code { () throws(CryptographyError) in try PrivateKey(pem: pem, provider: KeyProvider.tpm2()) }
                == .invalidKey
        )
        withExtendedLifetime(tpm) {}
    }

    @Test func withoutATPMThereIsNoProvider() throws {
        let error = try #require(throws: CryptographyError.self) { try KeyProvider.tpm2() }
        #expect(error.code == .providerUnavailable && error.message.contains("does not reach its device"))
    }

    /// A caller that gave up a key because of this would lose it for nothing.
    @Test func aTPMThatIsGoneIsNoWrongKey() async throws {
        let tpm = try await SoftwareTPM()
        let provider = try KeyProvider.tpm2()
        let made = try provider.generateKey()
        let signature = try made.privateKey.sign(Self.message, using: .ecdsaP256SHA256)
        tpm.stop()
        // Verifying needs the public half alone, which is not in the device.
        #expect(
            try made.privateKey.publicKey.isValidSignature(
                signature,
                for: Self.message,
                using: .ecdsaP256SHA256
            )
        )
        let error = try #require(throws: CryptographyError.self) {
            try made.privateKey.sign(Self.message, using: .ecdsaP256SHA256)
        }
        #expect(error.code == .providerUnavailable, "\(error)")
        #expect(
            code { () throws(CryptographyError) in try PrivateKey(pem: made.pem, provider: provider) }
                == .providerUnavailable
        )
        #expect(code { () throws(CryptographyError) in try provider.generateKey() } == .providerUnavailable)
    }

    @Test func aTPMWithoutRoomIsNoWrongKey() async throws {
        let tpm = try await SoftwareTPM()
        let provider = try KeyProvider.tpm2()
        var made: [KeyProvider.GeneratedKey] = []
        let end = code { () throws(CryptographyError) in
            for _ in 0..<10 { made.append(try provider.generateKey()) }
        }
        #expect(end == .providerUnavailable && made.count >= 2)
        let pem = made[0].pem
        #expect(
            code { () throws(CryptographyError) in try PrivateKey(pem: pem, provider: provider) }
                == .providerUnavailable
        )
        made = []
        try await expectSigns(PrivateKey(pem: pem, provider: provider), tpm)
    }
}
