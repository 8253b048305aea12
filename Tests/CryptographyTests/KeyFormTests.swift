import Cryptography
import Encodings
import Testing

@Suite struct KeyFormTests {
    @Test(arguments: TestKeys.all)
    func privateRoundTrips(_ key: PrivateKey) throws {
        #expect(try PrivateKey(der: key.pkcs8DER()).publicKey == key.publicKey)
        #expect(try PrivateKey(pem: key.pkcs8PEM()).publicKey == key.publicKey)
        #expect(try PrivateKey(pem: key.pkcs8PEM().replacing("\n", with: "\r\n")).publicKey == key.publicKey)
        let copy: PrivateKey
        switch key.keyType {
        case .p256, .p384, .p521:
            let scalar = try #require(try key.scalar())
            #expect(scalar.count == key.keyType.coordinateLength)
            copy = try PrivateKey(
                scalar: scalar,
                x963: try #require(key.publicKey.x963),
                curve: key.keyType
            )
        case .ed25519: copy = try PrivateKey(ed25519Seed: try #require(try key.ed25519Seed()))
        // Of Ed448 there is no other form of the private half.
        case .ed448: copy = try PrivateKey(der: key.pkcs8DER())
        case .rsa, .rsaPSS: copy = try PrivateKey(rsa: try #require(try key.rsaNumbers()))
        }
        #expect(copy.publicKey == key.publicKey)
        #expect(try copy.pkcs8DER() == key.pkcs8DER())
    }

    @Test(arguments: TestKeys.all)
    func publicRoundTrips(_ key: PrivateKey) throws {
        let publicKey = key.publicKey
        #expect(try PublicKey(der: publicKey.spkiDER) == publicKey)
        #expect(try PublicKey(pem: publicKey.pem) == publicKey)
        #expect(try PublicKey(pem: publicKey.pem).hashValue == publicKey.hashValue)
        #expect(try publicKey.spkiSHA256() == HashAlgorithm.sha256.hash(publicKey.spkiDER))
        switch publicKey.keyType {
        case .p256, .p384, .p521:
            #expect(try PublicKey(x963: try #require(publicKey.x963), curve: publicKey.keyType) == publicKey)
            #expect(publicKey.rawRepresentation == nil && publicKey.rsaModulus == nil)
        case .ed25519:
            #expect(try PublicKey(ed25519: try #require(publicKey.rawRepresentation)) == publicKey)
            #expect(publicKey.x963 == nil && publicKey.rsaExponent == nil)
        case .ed448:
            #expect(try PublicKey(ed448: try #require(publicKey.rawRepresentation)) == publicKey)
            #expect(publicKey.x963 == nil && publicKey.rsaExponent == nil)
        case .rsa, .rsaPSS:
            let modulus = try #require(publicKey.rsaModulus)
            #expect(
                try PublicKey(modulus: modulus, exponent: try #require(publicKey.rsaExponent)) == publicKey
            )
            #expect(publicKey.x963 == nil && publicKey.rawRepresentation == nil)
        }
    }

    @Test(arguments: TestKeys.all)
    func descriptionsHideTheKey(_ key: PrivateKey) throws {
        #expect("\(key)" == "PrivateKey(\(key.keyType))")
        #expect("\(key.publicKey)" == "PublicKey(\(key.keyType))")
        #expect(Array(Mirror(reflecting: key).children).isEmpty)
    }

    /// The forms that older tools write, made by taking PKCS #8 apart.
    @Test func olderPrivateForms() throws {
        let rsa = try TestKeys.key(.rsa(bits: 2048))
        let pkcs8 = try rsa.pkcs8DER()
        // Sequence, version, algorithm and the octet string's header come before the RSAPrivateKey.
        let pkcs1 = pkcs8.withBytes { span in (26..<span.count).map { span[$0] } }
        #expect(try PrivateKey(der: SecretBytes(pkcs1)).publicKey == rsa.publicKey)
        #expect(try PrivateKey(pem: pem("RSA PRIVATE KEY", pkcs1)).publicKey == rsa.publicKey)

        let ec = try TestKeys.key(.p256)
        let scalar = try #require(try ec.scalar()).withBytes { span in (0..<span.count).map { span[$0] } }
        let sec1 =
            [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20] + scalar
            + [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        #expect(try PrivateKey(der: SecretBytes(sec1)).publicKey == ec.publicKey)
        #expect(try PrivateKey(pem: pem("EC PRIVATE KEY", sec1)).publicKey == ec.publicKey)
        for (label, bytes) in [("PRIVATE KEY", sec1), ("RSA PRIVATE KEY", sec1), ("EC PRIVATE KEY", pkcs1)] {
            #expect(code { try PrivateKey(pem: pem(label, bytes)) } == .invalidPEM)
        }
    }

    @Test(arguments: TestKeys.all)
    func trailingAndMissingOctets(_ key: PrivateKey) throws {
        let secret = try key.pkcs8DER().withBytes { span in (0..<span.count).map { span[$0] } }
        for der in [secret + [0], Array(secret.dropLast()), []] {
            #expect(code { try PrivateKey(der: SecretBytes(der)) } == .invalidKey)
        }
        let open = key.publicKey.spkiDER
        for der in [open + [0], Array(open.dropLast()), []] {
            #expect(code { try PublicKey(der: der) } == .invalidKey)
        }
    }

    @Test func malformedPEM() throws {
        let text = try TestKeys.key(.p256).publicKey.pem
        let faults = [
            "", "hello\n" + text, text + "hello", text + text, String(text.dropLast(10)),
            text.replacing("PUBLIC KEY", with: "CERTIFICATE"), text.replacing("MFkw", with: "MFk?"),
            text.replacing("MFkw", with: "MFk w"), "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n",
        ]
        for fault in faults { #expect(code { try PublicKey(pem: fault) } == .invalidPEM) }
        #expect(code { try PrivateKey(pem: text) } == .invalidPEM)
    }

    @Test func encryptedKeysAreRefusedWithoutAsking() throws {
        // The old form: header lines before the body.
        let old = """
            -----BEGIN EC PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-128-CBC,00000000000000000000000000000000

            AAAA
            -----END EC PRIVATE KEY-----
            """
        #expect(code { try PrivateKey(pem: old) } == .encryptedKey)
        // EncryptedPrivateKeyInfo of RFC 5208: an algorithm comes first.
        let der: [UInt8] = [0x30, 0x08, 0x30, 0x03, 0x06, 0x01, 0x2A, 0x04, 0x01, 0x00]
        #expect(code { try PrivateKey(der: SecretBytes(der)) } == .encryptedKey)
        #expect(code { try PrivateKey(pem: pem("ENCRYPTED PRIVATE KEY", der)) } == .encryptedKey)
        #expect(code { try PrivateKey(pem: pem("PRIVATE KEY", der)) } == .encryptedKey)
    }

    /// As `openssl ecparam -genkey` writes it; which block is one too many is told.
    @Test func theBlocksThatAreTooManyAreNamed() throws {
        let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
        let text = parameters + (try PrivateKey.generate(.p256).pkcs8PEM())
        let error = #expect(throws: CryptographyError.self) { try PrivateKey(pem: text) }
        #expect(error?.code == .invalidPEM)
        #expect(error?.message.hasSuffix("one PEM block, not several: EC PARAMETERS, PRIVATE KEY") == true)
    }

    func pem(_ label: String, _ bytes: [UInt8]) -> String {
        "-----BEGIN \(label)-----\n\(Base64.standard.encode(bytes))\n-----END \(label)-----\n"
    }
}

/// The code of the error that a call throws; nil when it throws none, or one of another type.
func code<Value>(_ body: () throws -> Value) -> CryptographyError.Code? {
    do {
        _ = try body()
        return nil
    } catch { return (error as? CryptographyError)?.code }
}
