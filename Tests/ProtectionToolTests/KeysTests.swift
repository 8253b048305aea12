import Cryptography
import Encodings
import FoundationEssentials
import Glibc
import JSONWebTokens
import TestSupport
import Testing

@testable import ProtectionCommands

@Suite("keys", .timeLimit(.minutes(2))) struct KeysTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try await Keys.write(to: folder)
    }

    private func mode(_ name: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(folder[name], &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test func aNewKeyIsShownByItsPublicHalf() async throws {
        let made = await Run(["keys", "new", folder["new.pem"]])
        #expect(made.exit == .ok && made.errors == "")
        #expect(mode("new.pem") == 0o600)
        let key = try PrivateKey(pem: folder.text("new.pem")).publicKey
        #expect(key.keyType == .p256)
        let pin = Base64.standard.encode(try key.spkiSHA256())
        #expect(
            made.output == """
                type         P-256
                spki-sha256  \(pin)
                thumbprint   \(try JSONWebKey(key).thumbprint())
                ipk          \(Base64.standard.encode(key.spkiDER))

                """
        )
        let shown = await Run(["keys", "show", folder["new.pem"]])
        #expect(shown.exit == .ok && shown.errors == "" && shown.output == made.output + key.pem)
    }

    @Test func bothSpeakJSON() async throws {
        let made = await Run(["keys", "new", "--json", folder["new.pem"]])
        let key = try PrivateKey(pem: folder.text("new.pem")).publicKey
        let json = try made.json()
        #expect(json["type"] == "P-256" && json["pem"] == .string(key.pem) && json["provider"] == nil)
        #expect(json["spkiSHA256"]?.string == Base64.standard.encode(try key.spkiSHA256()))
        #expect(json["ipk"]?.string == Base64.standard.encode(key.spkiDER))
        let thumbprint = try JSONWebKey(key).thumbprint()
        #expect(json["thumbprint"]?.string == thumbprint)
        let shown = await Run(["keys", "show", "--json", folder["new.pem"]])
        #expect(shown.octets == made.octets)
    }

    @Test(arguments: ["private.pem", "public.pem", "public.jwk", "private.jwk", "-"])
    func everyFormOfOneKeyIsShownAlike(name: String) async throws {
        let key = try Keys.signing.get().publicKey
        let path = name == "-" ? "-" : folder[name]
        let run = await Run(["keys", "show", path, "--json"], input: key.pem)
        #expect(try run.json()["pem"]?.string == key.pem)
    }

    @Test func theTypeIsNamed() async throws {
        try folder.write("rsa.pem", Keys.rsa.get().publicKey.pem)
        try folder.write("ed.pem", Keys.edwards.get().publicKey.pem)
        try folder.write("p384.pem", PrivateKey.generate(.p384).publicKey.pem)
        for (arguments, type) in [
            (["rsa.pem", "--alg", "PS256"], "RSA-2048"), (["ed.pem"], "Ed25519"), (["p384.pem"], "P-384"),
        ] {
            let run = await Run(["keys", "show", folder[arguments[0]], "--json"] + arguments.dropFirst())
            #expect(try run.json()["type"]?.string == type)
        }
        #expect(
            try await Run(["keys", "show", folder["rsa.pem"], "--json"]).errorCode() == "missingAlgorithm"
        )
        let secret = [folder["secret.hex"], "--alg", "HS256", "--json"]
        #expect(try await Run(["keys", "show"] + secret).errorCode() == "unknownKeyForm")
    }

    @Test(arguments: ["private.pem", "link"]) func aFileIsNeverOverwritten(name: String) async throws {
        let before = try folder.text("private.pem")
        try #require(unsafe symlink(folder["private.pem"], folder["link"]) == 0)
        let run = await Run(["keys", "new", "--json", folder[name]])
        #expect(try run.exit == .refused && run.errorCode() == "alreadyExists")
        #expect(try folder.text("private.pem") == before)
        #expect(try await Run(["keys", "new", "--json", folder["absent/key"]]).errorCode() == "notFound")
        #expect(await Run(["keys", "new", folder["absent/key"]]).exit == .trouble)
    }

    @Test func anOpenDirectoryIsRefused() async throws {
        try #require(unsafe chmod(folder.path, 0o777) == 0)
        #expect(try await Run(["keys", "new", "--json", folder["new.pem"]]).errorCode() == "unsafeFile")
        #expect(mode("new.pem") == nil)
    }

    @Test func theKeyOfATPMNeedsItsProvider() async throws {
        try folder.write(
            "tpm.pem",
            "-----BEGIN TSS2 PRIVATE KEY-----\nMAAA\n-----END TSS2 PRIVATE KEY-----\n"
        )
        #expect(try await Run(["keys", "show", folder["tpm.pem"], "--json"]).errorCode() == "unsupportedKey")
    }

    @Test(arguments: [
        ["new"], ["new", "a", "b"], ["new", "a", "--passphrase-file", "b"],
        ["new", "a", "--provider", "pkcs11"],
        ["show"], ["show", "a", "--store-uri", "handle:1", "--provider", "tpm2"],
        ["show", "--store-uri", "handle:1"], ["show", "a", "--provider", "default"],
        ["show", "a", "--provider-config", "b"],
    ])
    func aLineThatMakesNoSenseIsRefused(arguments: [String]) async {
        #expect(await Run(["keys"] + arguments).exit == .usage)
    }

    @Test func aPINDoesNotStandOnTheCommandLine() async throws {
        let uri = "pkcs11:object=key;pin-value=1234"
        let run = await Run(["keys", "show", "--store-uri", uri, "--provider", "pkcs11", "--json"])
        #expect(try run.exit == .usage && run.errorCode() == "secretOnCommandLine")
        #expect(!run.output.contains("1234"))
    }

    @Test func thoseWhoStartAtOnceMakeOneKey() async throws {
        let result = try await Shell.run(
            """
            for i in 1 2 3 4; do protection keys new --json key.pem > out.$i & done; wait
            grep -l ipk out.? | wc -l; grep -l alreadyExists out.? | wc -l
            protection keys show --json key.pem > shown; cat out.? | grep -cxFf shown
            """,
            in: folder
        )
        #expect(result.exit == 0 && result.output == "1\n3\n1\n", "\(result.output)\(result.errors)")
    }
}
