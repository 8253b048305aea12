import Cryptography
import Encodings
import FoundationEssentials
import HTTPMessages
import HTTPServing
import HTTPTransport
import JSONWebTokens
import ProtectionTesting
import RequestVerification
import TestSupport
import Testing
import Timing

@testable import ProtectionCommands

@Suite("request", .timeLimit(.minutes(2))) struct RequestTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try await Keys.write(to: folder, hosts: ["localhost"])
    }

    private func request(
        _ server: SecureServer,
        _ arguments: [String],
        path: String = "/v1/shapes",
        input: String = "",
        isTerminal: Bool = false
    ) async throws -> Run {
        try folder.write("root.pem", server.root, mode: 0o644)
        return await Run(
            ["request", "--cacert", folder["root.pem"], "https://localhost:\(server.port)\(path)"]
                + arguments,
            input: input,
            isTerminal: isTerminal,
            time: .system
        )
    }

    private var development: [String] {
        ["--config", folder["app.config"], "--authority-key", folder["private.pem"]]
    }

    @Test func aPlainRequestIsSentAsItIs() async throws {
        let server = try SecureServer()
        let run = try await request(server, ["-H", "X-A: 1", "-H", "x-b:  two "], path: "/a?b=c")
        #expect(run.exit == .ok && run.output == "shapes\n" && run.errors == "")
        let received = try #require(server.requests.first)
        #expect(received.method == .get && received.rawTarget == "/a?b=c")
        #expect(received.fields["X-A"] == "1" && received.fields["x-b"] == "two")
        #expect(!received.fields.contains("Protection-Token"))
    }

    @Test func contentComesFromArgumentFileAndInput() async throws {
        let server = try SecureServer()
        try folder.write("body", "from a\nfile")
        _ = try await request(server, ["-d", "text"])
        _ = try await request(
            server,
            ["-d", "@\(folder["body"])", "-X", "PUT", "-H", "Content-Type: text/plain"]
        )
        _ = try await request(server, ["-d", "@-"], input: "from input")
        #expect(
            server.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
                "text", "from a\nfile", "from input",
            ]
        )
        #expect(server.requests.map(\.method.rawValue) == ["POST", "PUT", "POST"])
        #expect(
            server.requests.map { $0.fields[.contentType] } == [
                "application/x-www-form-urlencoded", "text/plain", "application/x-www-form-urlencoded",
            ]
        )
    }

    @Test func credentialsComeFromAFile() async throws {
        let server = try SecureServer()
        #expect(try await request(server, ["-H", "@\(folder["credentials.txt"])"]).exit == .ok)
        #expect(try await request(server, ["-H", "@-"], input: "Cookie: a=b").exit == .ok)
        #expect(server.requests[0].fields[.authorization] == "Bearer user")
        #expect(server.requests[0].fields["X-Other"] == "1" && server.requests[1].fields[.cookie] == "a=b")
    }

    @Test func theTokenOfAFileIsSent() async throws {
        let server = try SecureServer()
        try folder.write("token.jwt", "opaque-token-1234")
        let run = try await request(
            server,
            ["--config", folder["app.config"], "--token-file", folder["token.jwt"], "-v"]
        )
        #expect(run.exit == .ok, "\(run.errors)")
        #expect(server.requests.first?.fields["Protection-Token"] == "opaque-token-1234")
        #expect(
            !run.errors.contains("opaque-token")
                && run.errors.contains("* token attached in Protection-Token")
        )
    }

    @Test func theEmbeddedAuthorityMintsAndTheBackendVerifies() async throws {
        let server = try SecureServer()
        let run = try await request(
            server,
            development + [
                "--bind", "Authorization", "-H", "@\(folder["credentials.txt"])", "-d", "{}", "-v",
            ]
        )
        #expect(run.exit == .ok, "\(run.errors)")
        let verifier = try RequestVerifier(
            keys: JSONWebKeySet([JSONWebKey(Keys.signing.get().publicKey)]),
            policy: .init(
                issuer: "https://authority.example/",
                audience: "localhost",
                bindingHeaders: [.authorization]
            )
        )
        let received = try #require(server.requests.first)
        let token = try verifier.verifyToken(in: received.fields)
        #expect(token.claims["pay"] != nil)
        // What is told holds neither the token nor the credentials.
        #expect(!run.errors.contains(token.compactText.suffix(40)) && !run.errors.contains("Bearer user"))
        for part in [
            "event=token", "decision=proceed", "* decision: proceed", "> POST https://localhost",
            "> Authorization: <11 octets>",
            "< 200", "* time: config ", "token fetch ", "protection in all ", "transport ",
        ] {
            #expect(run.errors.contains(part), "\(part) is not in \(run.errors)")
        }
    }

    @Test func theTokensFieldCanBeChosen() async throws {
        let server = try SecureServer()
        let run = try await request(
            server,
            development + ["--token-header", "Authorization", "--token-prefix", "Bearer ", "-i"]
        )
        #expect(
            run.exit == .ok && run.output.hasPrefix("HTTP/1.1 200\n") && run.output.hasSuffix("\n\nshapes\n")
        )
        #expect(server.requests.first?.fields[.authorization]?.hasPrefix("Bearer eyJ") == true)
    }

    @Test func placeholdersAreReplaced() async throws {
        let server = try SecureServer()
        let run = try await request(
            server,
            development + [
                "--secrets", folder["secrets.json"], "--substitute-header", "Authorization", "-H",
                "Authorization: shapes-key", "--substitute-query", "key", "-v",
            ],
            path: "/a?key=shapes-key"
        )
        #expect(run.exit == .ok, "\(run.errors)")
        let received = try #require(server.requests.first)
        #expect(received.fields[.authorization] == "the-secret-of-shapes")
        #expect(received.rawTarget == "/a?key=the-secret-of-shapes")
        #expect(run.errors.contains("* secret put in Authorization") && run.errors.contains("substitution "))
        #expect(!run.errors.contains("the-secret-of-shapes") && !run.output.contains("the-secret-of-shapes"))
    }

    @Test func aResponseIsAlsoJSON() async throws {
        let server = try SecureServer { _ in
            HTTPResponse(status: .created, fields: HTTPFields(), body: [0xFF, 0x00])
        }
        let json = try await request(server, development + ["--json", "-i", "-v"]).json()
        #expect(json["status"] == 201 && json["bodyBase64"] == "/wA=" && json["hasToken"] == true)
        #expect(json["decision"] == "proceed" && json["fields"]?.array?.isEmpty == false)
        let steps = json["steps"]?.array?.compactMap { $0.object?["step"]?.string }
        #expect(steps == ["config", "token fetch", "protection in all", "transport"])
        let text = try await request(try SecureServer(), ["--json"]).json()
        #expect(text["body"] == "shapes\n" && text["fields"] == nil && text["steps"] == nil)
    }

    @Test func failEndsWithOne() async throws {
        let server = try SecureServer { _ in HTTPResponse(status: .notFound, body: Array("no".utf8)) }
        #expect(try await request(server, []).exit == .ok)
        let run = try await request(server, ["--fail"])
        #expect(
            run.exit == .refused && run.output == ""
                && run.errors.contains("httpStatus: the server answered 404")
        )
        #expect(try await request(server, ["-f", "--json"]).errorCode() == "httpStatus")
    }

    @Test func contentGoesToAFileOfItsOwner() async throws {
        let server = try SecureServer()
        let run = try await request(server, ["-o", folder["out"]])
        #expect(try run.output == "" && folder.text("out") == "shapes\n")
        let mode = try FileManager.default.attributesOfItem(atPath: folder["out"])[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try await request(server, ["-o", "-"]).output == "shapes\n")
        #expect(try await request(server, ["-o", folder["no/such"], "--json"]).errorCode() == "unwritable")
        #expect(try await request(server, ["-o", "/dev/full", "--json"]).exit == .trouble)
    }

    @Test func aTerminalIsNotSteered() async throws {
        let server = try SecureServer { request in
            HTTPResponse(
                status: .ok,
                body: request.rawTarget == "/b" ? [0xFF] : Array("a\u{1B}[2J\tb\n".utf8)
            )
        }
        let text = try await request(server, [], isTerminal: true)
        #expect(text.output == "a\\u{1b}[2J\tb\n")
        let binary = try await request(server, [], path: "/b", isTerminal: true)
        #expect(binary.exit == .ok && binary.octets.isEmpty && binary.errors.contains("use -o FILE"))
        #expect(try await request(server, []).output == "a\u{1B}[2J\tb\n")
    }

    @Test func whatIsNotTrustedIsNotSentTo() async throws {
        let server = try SecureServer()
        try folder.write("other.pem", CertificateAuthority.shared.text("other.pem"))
        let url = "https://localhost:\(server.port)/"
        let run = await Run(["request", "--json", "--cacert", folder["other.pem"], url], time: .system)
        #expect(run.exit == .refused)
        #expect(try run.errorCode() == "certificateNotTrusted")
        let roots = await Run(["request", "--json", "--cacert", folder["private.pem"], url], time: .system)
        #expect(try roots.exit == .refused && roots.errorCode() == "invalidPEM")
        #expect(server.requests.isEmpty)
    }

    @Test func protectionThatFailsSendsNothing() async throws {
        let server = try SecureServer()
        let config = ["--config", folder["app.config"]]
        let absent = try await request(server, config + ["--token-file", folder["absent"]])
        #expect(absent.exit == .ok && absent.errors.contains("NO_ATTESTATION_SERVICE"))
        try folder.write("bad.jwt", "a b")
        let bad = try await request(server, config + ["--token-file", folder["bad.jwt"], "--json"])
        #expect(try bad.exit == .refused && bad.errorCode() == "permanent")
        let plain = await Run(["request", "--json", "http://a.test/"] + development, time: .system)
        #expect(try plain.exit == .refused && plain.errorCode() == "permanent")
        #expect(server.requests.count == 1)
    }

    @Test func settingsThatDoNotFitAreRefused() async throws {
        let server = try SecureServer()
        let config = ["--config", folder["app.config"], "--json"]
        try folder.write("other.pem", try Keys.other.get().pkcs8PEM())
        let cases: [([String], String)] = [
            ([], "usage"), (["--token-file", "a", "--authority-key", "b"], "usage"),
            (["--token-file", "a", "--secrets", "b"], "usage"),
            (["--authority-key", folder["other.pem"]], "wrongKey"),
            (["--authority-key", folder["public.pem"]], "publicKeyGiven"),
            (["--authority-key", folder["private.pem"], "--secrets", folder["keys.json"]], "notText"),
            (["--authority-key", folder["private.pem"], "--bind", "a b"], "usage"),
            (["--authority-key", folder["private.pem"], "--bind", "protection-token"], "configuration"),
            (["--authority-key", folder["private.pem"], "--token-header", "a b"], "usage"),
        ]
        for (options, code) in cases {
            #expect(try await request(server, config + options).errorCode() == code, "\(options)")
        }
        try folder.write("w.config", try folder.text("app.config"), mode: 0o666)
        let writable = ["--config", folder["w.config"], "--token-file", "a", "--json"]
        #expect(try await request(server, writable).errorCode() == "unsafePermissions")
        #expect(server.requests.isEmpty)
    }

    @Test func aSecretCanSignInDevelopment() async throws {
        let server = try SecureServer()
        let options = ["--authority-key", folder["secret.hex"], "--secret-format", "hex", "--alg", "HS256"]
        #expect(try await request(server, ["--config", folder["app.config"]] + options).exit == .ok)
        let token = try #require(server.requests.first?.fields["Protection-Token"])
        #expect(try UnverifiedToken(parsing: token).header.algorithm == "HS256")
    }

    @Test func aServerWithAnotherKeyThanThePinnedOneGetsNothing() async throws {
        let server = try SecureServer()
        let pin = "localhost=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        let line = try await Keys.configuration(folder, hosts: ["localhost"], pins: [pin])
        try folder.write("pinned.config", line)
        let options = ["--config", folder["pinned.config"], "--authority-key", folder["private.pem"]]
        let run = try await request(server, options + ["--json"])
        #expect(try run.exit == .refused && run.errorCode() == "pinningFailed")
        #expect(server.requests.isEmpty)
        let good = try Certificate(pem: server.root).subjectPublicKeyInfoSHA256
        let pins = ["localhost=\(Base64.standard.encode(good))", "*=\(pin.dropFirst("localhost=".count))"]
        try folder.write(
            "pinned.config",
            try await Keys.configuration(folder, hosts: ["localhost"], pins: pins)
        )
        #expect(try await request(server, options).exit == .ok)
    }

    @Test func timeIsLimited() async throws {
        let session = RecordingSession()
        let run = await Run(["request", "--max-time", "1.5", "https://a.test"]) { configuration in
            #expect(configuration.timeout == .milliseconds(1500) && configuration.trustRoots == .system)
            return session
        }
        #expect(run.exit == .ok && session.requests.count == 1)
        let refused = await Run(["request", "--json", "http://127.0.0.1:1/"], time: .system)
        #expect(try refused.exit == .trouble && refused.errorCode() == "connectFailed")
    }

    @Test func everyStepIsTimed() async throws {
        let time = ManualTime()
        let run = await Run(["request", "-v", "https://a.test"], time: time.source) { _ in
            RecordingSession { _ in
                time.advance(by: .milliseconds(25))
                return HTTPResponse(status: .ok)
            }
        }
        #expect(run.errors.contains("* time: config 0.0 ms, protection in all 0.0 ms, transport 25.0 ms\n"))
        #expect(run.errors.contains("decision=ignore") && run.errors.contains("empty config"))
    }

    @Test func otherErrorsShowTheirTypeOnly() async throws {
        struct Secret: Error { let text = "secret" }
        let run = await Run(["request", "--json", "https://a.test"]) { _ in
            RecordingSession { _ in throw Secret() }
        }
        #expect(try run.exit == .trouble && run.errorCode() == "internalError")
        #expect(!run.output.contains("secret"))
    }
}
