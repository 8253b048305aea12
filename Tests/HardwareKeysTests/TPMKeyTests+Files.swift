import Cryptography
import Glibc
import InstallationKeys
import TestSupport
import Testing

/// The key of an installation, made in a TPM and kept as others are in their files.
extension TPMKeyTests {
    @Test func anInstallationKeyIsMadeAndReplacedInATPM() async throws {
        let tpm = try await SoftwareTPM()
        let folder = try TemporaryFolder()
        let file = InstallationKeyFile(path: folder["key.pem"], provider: try .tpm2())
        // A TPM without a resource manager has room for three keys: none is held longer than needed.
        let key = try file.loadOrCreate().publicKey
        #expect(try file.loadOrCreate().publicKey == key && file.load().isHardwareBound)
        #expect(try folder.text("key.pem").hasPrefix("-----BEGIN TSS2 PRIVATE KEY-----\n"))
        var status = stat()
        #expect(unsafe stat(folder["key.pem"], &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(caught { () throws(InstallationKeyError) in try file.create() }?.code == .alreadyExists)
        let software = InstallationKeyFile(path: folder["key.pem"])
        #expect(caught { () throws(InstallationKeyError) in try software.load() }?.code == .wrongKind)

        let next = try file.prepareSuccessor().publicKey
        #expect(try next != key && file.prepareSuccessor().publicKey == next)
        #expect(try file.load().publicKey == key)
        try file.promoteSuccessor(expecting: next)
        #expect(try file.load().publicKey == next)
        try await expectSigns(file.load(), tpm)
    }

    @Test func aFileOfATPMTellsItsTroubles() async throws {
        let folder = try TemporaryFolder()
        let file: InstallationKeyFile
        do {
            let tpm = try await SoftwareTPM()
            let provider = try KeyProvider.tpm2()
            file = InstallationKeyFile(path: folder["key.pem"], provider: provider)
            let secret = SecretBytes(Array("passphrase".utf8))
            let locked = InstallationKeyFile(
                path: folder["locked.pem"],
                provider: provider,
                passphrase: secret
            )
            try await expectSigns(locked.create(), tpm)
            try await expectSigns(locked.load(), tpm)
            let open = InstallationKeyFile(path: folder["locked.pem"], provider: provider)
            #expect(caught { () throws(InstallationKeyError) in try open.load() }?.code == .wrongPassphrase)
            try folder.write("key.pem", PrivateKey.generate(.p256).pkcs8PEM(), mode: 0o600)
            #expect(caught { () throws(InstallationKeyError) in try file.load() }?.code == .damaged)
            try folder.write("key.pem", [0xFF], mode: 0o600)
            #expect(caught { () throws(InstallationKeyError) in try file.load() }?.code == .damaged)
            #expect(unsafe unlink(folder["key.pem"]) == 0)
            _ = try file.create()
            withExtendedLifetime(tpm) {}
        }
        // The TPM has gone; the file is as good as before.
        #expect(caught { () throws(InstallationKeyError) in try file.load() }?.code == .deviceUnavailable)
    }
}
