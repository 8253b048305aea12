import Cryptography
import FoundationEssentials
import Testing

/// What needs no device.
@Suite("Key provider", .timeLimit(.minutes(1))) struct KeyProviderTests {
    private static let hasPKCS11 = ["x86_64", "aarch64"].contains {
        FileManager.default.fileExists(atPath: "/usr/lib/\($0)-linux-gnu/ossl-modules/pkcs11.so")
    }

    @Test(arguments: [
        "", "default", "base", "legacy", "fips", "null", "/tmp/evil", "../evil", "tpm2\u{0}", "a b", "é",
    ])
    func aNameThatIsNoneIsRefused(name: String) throws {
        let error = try #require(throws: CryptographyError.self) { try KeyProvider(named: name) }
        #expect(error.code == .invalidInput)
    }

    @Test func aProviderThatIsNotInstalledIsNamed() throws {
        let error = try #require(throws: CryptographyError.self) { try KeyProvider(named: "absent") }
        #expect(error.code == .providerUnavailable && error.message.contains("'absent' is not installed"))
    }

    @Test func aConfigurationThatIsNotThereIsAnError() throws {
        let error = try #require(throws: CryptographyError.self) {
            try KeyProvider.pkcs11(configurationFile: "/absent/openssl.cnf")
        }
        #expect(error.code == .providerUnavailable && error.message.contains("configuration"))
    }

    @Test(.enabled(if: !hasPKCS11, "the provider pkcs11 is installed"))
    func withoutPKCS11TheErrorSaysSo() throws {
        let error = try #require(throws: CryptographyError.self) { try KeyProvider.pkcs11() }
        #expect(error.code == .providerUnavailable && error.message.contains("'pkcs11' is not installed"))
    }

    @Test(.enabled(if: hasPKCS11, "the provider pkcs11 is not installed; Debian 12 has none"))
    func aTokenIsUsedThroughPKCS11() async throws {
        let token = try await SoftwareToken()
        let provider = try KeyProvider.pkcs11(configurationFile: token.configuration)
        let pin = SecretBytes(Array("5678".utf8))
        let uri = "pkcs11:token=attest;object=devkey;type=private"
        let key = try PrivateKey(storeURI: uri, provider: provider, passphrase: pin)
        let signature = try key.sign([1, 2, 3], using: .ecdsaP256SHA256)
        #expect(try key.publicKey.isValidSignature(signature, for: [1, 2, 3], using: .ecdsaP256SHA256))
        #expect(key.isHardwareBound)
        let error = try #require(throws: CryptographyError.self) { try provider.generateKey() }
        #expect(error.code == .unsupportedKey)
    }
}
