import Cryptography
import Encodings
import Testing

@Suite struct SignatureTests {
    @Test func everyAlgorithmHasAKey() { #expect(TestKeys.pairs.count == SignatureAlgorithm.allCases.count) }

    @Test(arguments: TestKeys.pairs, [ECDSAEncoding.fixedWidth, .der])
    func roundTrip(_ pair: (SignatureAlgorithm, PrivateKey), _ encoding: ECDSAEncoding) throws {
        let (algorithm, key) = pair
        for message in [TestKeys.message, []] {
            let signature = try key.sign(message, using: algorithm, encoding: encoding)
            let publicKey = key.publicKey
            #expect(
                try publicKey.isValidSignature(signature, for: message, using: algorithm, encoding: encoding)
            )
            #expect(
                try !publicKey.isValidSignature(
                    signature,
                    for: message + [0],
                    using: algorithm,
                    encoding: encoding
                )
            )
            #expect(
                try !publicKey.isValidSignature(
                    signature + [0],
                    for: message,
                    using: algorithm,
                    encoding: encoding
                )
            )
            #expect(
                try !publicKey.isValidSignature(
                    Array(signature.dropLast()),
                    for: message,
                    using: algorithm,
                    encoding: encoding
                )
            )
            #expect(try !publicKey.isValidSignature([], for: message, using: algorithm, encoding: encoding))
            let other = try PrivateKey.generate(key.keyType).publicKey
            #expect(
                try !other.isValidSignature(signature, for: message, using: algorithm, encoding: encoding)
            )
        }
    }

    @Test(arguments: TestKeys.pairs)
    func fixedWidthLengths(_ algorithm: SignatureAlgorithm, _ key: PrivateKey) throws {
        let expected =
            switch key.keyType {
            case .p256, .ed25519: 64
            case .p384: 96
            case .p521: 132
            case .ed448: 114
            case .rsa(let bits), .rsaPSS(let bits, _): bits / 8
            }
        #expect(try key.sign(TestKeys.message, using: algorithm).count == expected)
    }

    @Test(arguments: [KeyType.p256, .p384, .p521])
    func oneEncodingIsNotTheOther(_ type: KeyType) throws {
        let key = try TestKeys.key(type)
        let algorithm = try #require(SignatureAlgorithm.allCases.first { $0.fits(type) })
        let fixed = try key.sign(TestKeys.message, using: algorithm)
        let der = try key.sign(TestKeys.message, using: algorithm, encoding: .der)
        #expect(
            try !key.publicKey.isValidSignature(
                fixed,
                for: TestKeys.message,
                using: algorithm,
                encoding: .der
            )
        )
        #expect(try !key.publicKey.isValidSignature(der, for: TestKeys.message, using: algorithm))
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func algorithmOfAnotherKeyType(_ algorithm: SignatureAlgorithm) throws {
        for key in TestKeys.all where !algorithm.fits(key.keyType) {
            let signing = try #require(throws: CryptographyError.self) { try key.sign([1], using: algorithm) }
            #expect(signing.code == .algorithmMismatch)
            let verifying = try #require(throws: CryptographyError.self) {
                try key.publicKey.isValidSignature([1], for: [1], using: algorithm)
            }
            #expect(verifying.code == .algorithmMismatch)
        }
    }

    /// RFC 8037, appendix A: the key is that of RFC 8032, section 7.1, test 1.
    @Test func ed25519KnownSignature() throws {
        let seed: [UInt8] = [
            0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92, 0xec, 0x2c, 0xc4,
            0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b, 0xac, 0x03, 0x1c, 0xae, 0x7f, 0x60,
        ]
        let key = try PrivateKey(ed25519Seed: SecretBytes(seed))
        #expect(key.publicKey.rawRepresentation?.prefix(4) == [0xd7, 0x5a, 0x98, 0x01])
        #expect(try key.sign([], using: .ed25519).prefix(4) == [0xe5, 0x56, 0x43, 0x00])
        #expect(try key.ed25519Seed() == SecretBytes(seed))
    }

    /// RFC 8032, section 7.4, the first test.
    @Test func ed448KnownSignature() throws {
        let key = try PublicKey(
            ed448: Hex.decode(
                "5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778"
                    + "edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180"
            )
        )
        var signature = try Hex.decode(
            "533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f"
                + "2b233f034f628281f2fd7a22ddd47d7828c59bd0a21bfd3980ff0d2028d4b18a"
                + "9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda8530a113a0f4db"
                + "b61149f05a7363268c71d95808ff2e652600"
        )
        #expect(try key.isValidSignature(signature, for: [], using: .ed448))
        #expect(try !key.isValidSignature(signature, for: [0], using: .ed448))
        signature[113] = 1
        #expect(try !key.isValidSignature(signature, for: [], using: .ed448))
    }

    @Test func saltOfAnotherLengthIsRefused() throws {
        // The same key and padding under another hash: lengths of salt and digest both differ.
        let key = try TestKeys.key(.rsa(bits: 2048))
        let signature = try key.sign(TestKeys.message, using: .rsaPSSSHA256)
        #expect(try !key.publicKey.isValidSignature(signature, for: TestKeys.message, using: .rsaPSSSHA384))
        #expect(try !key.publicKey.isValidSignature(signature, for: TestKeys.message, using: .rsaPKCS1SHA256))
    }

    @Test(arguments: TestKeys.pairs)
    func oneKeyServesManyTasks(_ algorithm: SignatureAlgorithm, _ key: PrivateKey) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let message = [UInt8(number)]
                    let signature = try key.sign(message, using: algorithm)
                    return try key.publicKey.isValidSignature(signature, for: message, using: algorithm)
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    /// One signature in 256 starts with a zero, which the right length keeps.
    @Test func anRSASignatureHasTheLengthOfTheModulus() throws {
        let key = try TestKeys.key(.rsa(bits: 2048))
        for _ in 0..<5000 {
            let signature = try key.sign(TestKeys.message, using: .rsaPSSSHA256)
            guard signature.first == 0 else { continue }
            #expect(
                try key.publicKey.isValidSignature(signature, for: TestKeys.message, using: .rsaPSSSHA256)
            )
            let short = Array(signature.dropFirst())
            #expect(try !key.publicKey.isValidSignature(short, for: TestKeys.message, using: .rsaPSSSHA256))
            return
        }
        Issue.record("none of 5000 signatures starts with a zero")
    }
}
