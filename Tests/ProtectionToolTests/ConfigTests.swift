import Cryptography
import Encodings
import HTTPMessages
import JSONWebTokens
import Protection
import TestSupport
import Testing

@testable import ProtectionCommands

@Suite("config", .timeLimit(.minutes(2))) struct ConfigTests {
    private let folder: TemporaryFolder
    private let pin = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    init() async throws {
        folder = try TemporaryFolder()
        try await Keys.write(to: folder)
    }

    private func make(_ key: String, _ more: [String] = []) async -> Run {
        await Run(
            ["config", "make", "--authority", "https://authority.example", "--account", "demo"]
                + ["--host", "api.example.com", "--key", folder[key]] + more
        )
    }

    @Test(arguments: ["public.pem", "public.jwk", "certificate.pem"])
    func aLineIsMadeOfEveryFormOfKey(name: String) async throws {
        let key = try Keys.signing.get()
        let builder = CertificateBuilder(
            commonName: "a",
            role: .authority(pathLength: 0),
            notBefore: 0,
            notAfter: 9
        )
        try folder.write("certificate.pem", builder.selfSigned(with: key).pem)
        let run = await make(name, ["--host", "*.x.test", "--pin", "api.example.com=\(pin)"])
        #expect(run.exit == .ok && run.errors == "")
        let configuration = try ProtectionConfiguration(parsing: run.line)
        #expect(configuration.authorityKey.publicKey == key.publicKey)
        #expect(configuration.protectedHosts.map(\.description) == ["api.example.com", "*.x.test"])
        #expect(configuration.pins.hosts.count == 1)
        #expect(try await make(name, ["--json"]).json()["config"]?.string?.hasPrefix("protection:1:") == true)
    }

    @Test func anRSAKeyNeedsItsAlgorithm() async throws {
        try folder.write("rsa.pem", try Keys.rsa.get().publicKey.pem)
        #expect(try await make("rsa.pem", ["--json"]).errorCode() == "missingAlgorithm")
        let run = await make("rsa.pem", ["--alg", "PS256", "--kid", "r"])
        let key = try ProtectionConfiguration(parsing: run.line).authorityKey
        #expect(key.algorithm == .ps256 && key.keyID == "r")
    }

    @Test(arguments: ["private.pem", "private.jwk", "secret.jwk"])
    func aPrivateKeyIsRefused(name: String) async throws {
        try folder.write(
            "secret.jwk",
            #"{"kty":"oct","alg":"HS256","k":"\#(Base64.url.encode(Keys.secret))"}"#
        )
        let run = await make(name)
        #expect(run.exit == .refused && run.output == "")
        #expect(run.errors.contains("privateKeyGiven") && run.errors.contains("openssl pkey"))
    }

    @Test func anotherFileIsNoKey() async throws {
        try folder.write("text", "hello")
        #expect(try await make("text", ["--json"]).errorCode() == "unknownKeyForm")
        try folder.write("array", "{")
        #expect(try await make("array", ["--json"]).errorCode() == "invalidJSON")
    }

    @Test(arguments: ["[::1]", "127.0.0.1", "*.a-b.test"]) func otherHostsAreTaken(host: String) async {
        #expect(await make("public.pem", ["--host", host]).exit == .ok)
    }

    @Test func everyPartIsShown() async throws {
        let line = try await Keys.configuration(
            folder,
            hosts: ["api.example.com", "*.x.test"],
            pins: ["api.example.com=\(pin)"]
        )
        let run = await Run(["config", "show", "-"], input: line + "\n")
        #expect(run.exit == .ok)
        for part in [
            "https://authority.example/", "demo", "api.example.com", "*.x.test", pin, "ES256", "thumbprint",
        ] {
            #expect(run.output.contains(part))
        }
        let json = try await Run(["config", "show", folder["app.config"], "--json"]).json()
        #expect(json["account"] == "demo" && json["hosts"] == ["api.example.com"])
        #expect(json["key"]?.object?["kty"] == "EC" && json["pins"] == [:])
    }

    @Test(arguments: [
        ("", "notAConfiguration"), ("hello", "notAConfiguration"), ("protection:2:1:A:0", "unknownVersion"),
        ("protection:1:9999:A:0", "truncated"), ("protection:1:x:A:0", "invalidCharacter"),
    ])
    func aFaultyLineIsRefusedWithItsPlace(line: String, code: String) async throws {
        let run = await Run(["config", "show", "--json", "-"], input: line)
        #expect(run.exit == .refused)
        #expect(try run.errorCode() == code)
        #expect(try run.json()["error"]?.object?["offset"]?.integer != nil)
        #expect(await Run(["config", "show", "-"], input: line).errors.contains("\(code): "))
    }

    @Test func aChangedCharacterIsFound() async throws {
        var line = try folder.text("app.config")
        let index = line.index(line.startIndex, offsetBy: 40)
        line.replaceSubrange(index...index, with: line[index] == "A" ? "B" : "A")
        #expect(
            try await Run(["config", "show", "--json", "-"], input: line).errorCode() == "checksumMismatch"
        )
    }

    @Test func filesThatCannotBeReadAreTrouble() async throws {
        let run = await Run(["config", "show", "--json", folder["absent"]])
        #expect(run.exit == .trouble)
        #expect(try run.errorCode() == "unreadable")
        #expect(try await Run(["config", "show", "--json", folder.path]).errorCode() == "unreadable")
        try folder.write("large", [UInt8](repeating: 0x61, count: (1 << 20) + 1))
        #expect(try await Run(["config", "show", "--json", folder["large"]]).errorCode() == "fileTooLarge")
        try folder.write("binary", [0xFF, 0xFE])
        #expect(try await Run(["config", "show", "--json", folder["binary"]]).errorCode() == "notText")
    }
}
