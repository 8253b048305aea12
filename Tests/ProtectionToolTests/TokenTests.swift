import Glibc
import Cryptography
import Encodings
import JSONWebTokens
import TestSupport
import Testing

@testable import ProtectionCommands

@Suite("token", .timeLimit(.minutes(2))) struct TokenTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try await Keys.write(to: folder)
    }

    private func mint(
        _ arguments: [String],
        input: String = "",
        _ environment: [String: String] = [:]
    ) async -> Run {
        await Run(["token", "mint"] + arguments, input: input, environment: environment)
    }

    private func verify(
        _ token: String,
        _ arguments: [String],
        _ environment: [String: String] = [:]
    ) async -> Run {
        await Run(["token", "verify"] + arguments + ["-"], input: token, environment: environment)
    }

    private func claims(_ run: Run) throws -> JSONObject {
        try UnverifiedToken(parsing: run.line).unverifiedClaims.members
    }

    // MARK: - mint

    @Test func theOptionsBecomeClaims() async throws {
        let run = await mint([
            "--key", folder["private.pem"], "--kid", "k1", "--issuer", "i", "--audience", "a", "--audience",
            "b",
            "--subject", "s", "--lifetime", "60", "--at", "2026-01-01T00:00:00Z",
        ])
        #expect(run.exit == .ok && run.errors == "")
        let expected: JSONValue = [
            "iss": "i", "sub": "s", "aud": ["a", "b"], "iat": 1_767_225_600, "exp": 1_767_225_660,
        ]
        #expect(try JSONValue.object(claims(run)) == expected)
        let header = try UnverifiedToken(parsing: run.line).header
        #expect(header.keyID == "k1" && header.type == "JWT" && header.algorithm == "ES256")
        let verifier = try TokenVerifier(key: JSONWebKey(Keys.signing.get().publicKey), audience: "b")
        #expect(try verifier.verify(run.line, at: Run.now).claims.subject == "s")
    }

    @Test func nowAndFiveMinutesAreTheDefaults() async throws {
        let claims = try claims(await mint(["--key", folder["private.pem"]]))
        #expect(claims["iat"]?.integer == Run.now && claims["exp"]?.integer == Run.now + 300)
    }

    @Test(arguments: ["pem", "jwk"]) func privateKeysOfEveryFormSign(form: String) async throws {
        let run = await mint(["--key", folder["private.\(form)"], "--audience", "a", "--json"])
        let token = try #require(try run.json()["token"]?.string)
        #expect(await verify(token, ["--key", folder["public.pem"], "--audience", "a"]).exit == .ok)
        #expect(try UnverifiedToken(parsing: token).header.keyID == (form == "jwk" ? "main" : nil))
    }

    @Test(arguments: ["raw", "base64", "base64url", "hex"]) func secretsOfEveryFormSign(
        form: String
    ) async throws {
        let options = ["--key", folder["secret.\(form)"], "--secret-format", form, "--alg", "HS256"]
        let run = await mint(options + ["--audience", "a"])
        #expect(run.exit == .ok && run.errors == "")
        #expect(await verify(run.line, options + ["--audience", "a"]).exit == .ok)
    }

    @Test func otherKeyTypesSign() async throws {
        try folder.write("rsa.pem", try Keys.rsa.get().pkcs8PEM())
        try folder.write("ed.pem", try Keys.edwards.get().pkcs8PEM())
        #expect(await mint(["--key", folder["rsa.pem"], "--alg", "RS512"]).exit == .ok)
        #expect(await mint(["--key", folder["ed.pem"]]).exit == .ok)
        #expect(try await mint(["--key", folder["rsa.pem"], "--json"]).errorCode() == "missingAlgorithm")
        #expect(
            try await mint(["--key", folder["ed.pem"], "--alg", "ES256", "--json"]).errorCode()
                == "algorithmMismatch"
        )
    }

    @Test func keysThatDoNotSignAreRefused() async throws {
        for name in ["public.pem", "public.jwk"] {
            #expect(try await mint(["--key", folder[name], "--json"]).errorCode() == "publicKeyGiven")
        }
        let hex = ["--secret-format", "hex", "--json"]
        #expect(try await mint(["--key", folder["secret.hex"]] + hex).errorCode() == "usage")
        try folder.write("wrong.hex", "zz")
        #expect(
            try await mint(["--key", folder["wrong.hex"], "--alg", "HS256"] + hex).errorCode()
                == "invalidCharacter"
        )
        #expect(
            try await mint(["--key", folder["secret.hex"], "--alg", "HS512"] + hex).errorCode() == "weakKey"
        )
        #expect(try await mint(["--key", folder["secret.raw"], "--json"]).errorCode() == "unknownKeyForm")
        try folder.write("broken.pem", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
        #expect(await mint(["--key", folder["broken.pem"], "--json"]).exit == .refused)
    }

    @Test func claimsOfAFileComeFirst() async throws {
        let input = #"{"iss":"file","role":"admin","iat":5,"exp":10}"#
        let key = ["--key", folder["private.pem"], "--claims", "-"]
        let plain = try claims(await mint(key, input: input))
        #expect(JSONValue.object(plain) == ["iss": "file", "role": "admin", "iat": 5, "exp": 10])
        let issuer = try claims(await mint(key + ["--issuer", "option", "--lifetime", "7"], input: input))
        #expect(issuer["iss"] == "option" && issuer["iat"] == 5 && issuer["exp"] == 12)
        let date = try claims(await mint(key + ["--at", "100"], input: input))
        #expect(date["iat"] == 100 && date["exp"] == 400)
        for wrong in ["[]", "{", #"{"a":1,"a":2}"#, #"{"exp":"soon"}"#] {
            let run = await mint(key + ["--json"], input: wrong)
            #expect(run.exit == .refused)
        }
    }

    @Test func standardInputIsOneThingOnly() async throws {
        let run = await mint(["--key", "-", "--claims", "-"], input: "{}")
        #expect(run.exit == .usage && run.errors.contains("standard input can be one thing only"))
        let key = await mint(["--key", "-"], input: try folder.text("private.pem"))
        #expect(key.exit == .ok)
    }

    @Test func aTokenIsBoundToAValue() async throws {
        let pay = Base64.standard.encode(try HashAlgorithm.sha256.hash(Array("Bearer user".utf8)))
        let key = ["--key", folder["private.pem"], "--audience", "a"]
        let byFile = await mint(key + ["--bind-header-file", folder["authorization.txt"]])
        let byVariable = await mint(key + ["--bind-env", "V"], ["V": "Bearer user"])
        #expect(try claims(byFile)["pay"] == .string(pay))
        #expect(try claims(byVariable)["pay"] == .string(pay))
        // No field holds it, so no server could compare it.
        for value in ["Bearer user ", "\tBearer user", "Bearer\u{1}user"] {
            let run = await mint(key + ["--bind-env", "V", "--json"], ["V": value])
            #expect(try run.exit == .refused && run.errorCode() == "invalidFieldValue")
        }
        let options = ["--key", folder["public.pem"], "--audience", "a"]
        let bound = await verify(byFile.line, options + ["--bind-env", "V", "--json"], ["V": "Bearer user"])
        #expect(try bound.exit == .ok && bound.json()["bindingChecked"] == true)
        let other = await verify(byFile.line, options + ["--bind-env", "V", "--json"], ["V": "Bearer other"])
        #expect(try other.exit == .refused && other.errorCode() == "bindingMismatch")
        let unbound = await mint(key)
        let missing = await verify(
            unbound.line,
            options + ["--bind-env", "V", "--json"],
            ["V": "Bearer user"]
        )
        #expect(try missing.errorCode() == "bindingMismatch")
        #expect(await verify(byFile.line, options).output.contains("its binding was not checked"))
        let absent = await mint(key + ["--bind-env", "ABSENT", "--json"])
        #expect(try absent.exit == .trouble && absent.errorCode() == "missingVariable")
    }

    @Test(
        arguments: [
            (0o600, false, ExitCode.ok), (0o400, false, .ok), (0o640, true, .ok), (0o644, true, .ok),
            (0o620, false, .refused), (0o602, false, .refused), (0o666, false, .refused),
        ] as [(mode_t, Bool, ExitCode)]
    )
    func theModeOfAKeyFileCounts(mode: mode_t, warns: Bool, exit: ExitCode) async throws {
        let path = try folder.write("key.pem", try folder.text("private.pem"), mode: mode)
        let run = await mint(["--key", path])
        #expect(run.exit == exit)
        #expect(run.errors.contains("warning: others than its owner may read the key file") == warns)
        #expect(run.errors.contains("unsafePermissions") == (exit == .refused))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func aKeyOfAnotherUserIsNotTrusted() async throws {
        let path = try folder.write("other.pem", try folder.text("private.pem"))
        #expect(unsafe chown(path, 12_345, 12_345) == 0)
        #expect(try await mint(["--key", path, "--json"]).errorCode() == "unsafePermissions")
    }

    @Test func aPublicKeyMayBeReadByAllAndWrittenByNone() async throws {
        let token = try await Keys.token(folder)
        let options = ["--audience", "api.example.com", "--key"]
        let readable = await verify(token, options + [folder["public.pem"]])
        #expect(readable.exit == .ok && readable.errors == "")
        let path = try folder.write("p.pem", try folder.text("public.pem"), mode: 0o646)
        #expect(try await verify(token, options + [path, "--json"]).errorCode() == "unsafePermissions")
        let secret = try folder.write("p.jwk", try folder.text("private.jwk"), mode: 0o644)
        #expect(await verify(token, options + [secret]).errors.contains("may read the key file"))
        for name in ["private", "public"] {
            let set = #"{"keys":[\#(try folder.text(name + ".jwk"))]}"#
            let path = try folder.write("set.json", set, mode: 0o644)
            let run = await verify(token, ["--audience", "api.example.com", "--jwks", path])
            #expect(run.errors.contains("may read the key set") == (name == "private"))
        }
    }

    // MARK: - show

    @Test func aTokenIsShownAndNotVerified() async throws {
        let token = try await Keys.token(folder, ["--issuer", "i"])
        let path = try folder.write("t", token + "\n")
        let run = await Run(["token", "show", path])
        #expect(run.exit == .ok && run.output.hasPrefix("NOT VERIFIED"))
        #expect(run.output.contains("2026-01-01T00:05:00Z, in 5 min") && run.output.contains("ES256"))
        #expect(
            run.output.contains(#"{"iss":"i","aud":"api.example.com","iat":1767225600,"exp":1767225900}"#)
        )
        let json = try await Run(["token", "show", "--json", "-"], input: token).json()
        #expect(json["verified"] == false && json["claims"]?.object?["iss"] == "i")
        #expect(json["dates"] == ["iat": "2026-01-01T00:00:00Z", "exp": "2026-01-01T00:05:00Z"])
        let signature = try #require(token.split(separator: ".").last)
        for shown in [run.output, String(decoding: JSONValue.object(json).serialized(), as: UTF8.self)] {
            #expect(!shown.contains(signature) && !shown.contains(token.prefix(20)))
        }
    }

    @Test func claimsCannotSteerTheTerminal() async throws {
        let evil = #"{"\u001b[2J":"a\u001b]0;x\u0007\u202eb","x":["\u009b"]}"#
        let minted = await mint(["--key", folder["private.pem"], "--claims", "-"], input: evil)
        let run = await Run(["token", "show", "-"], input: minted.line, isTerminal: false)
        for character in ["\u{1B}", "\u{7}", "\u{202E}", "\u{9B}"] {
            #expect(!run.output.contains(character))
        }
        #expect(run.output.contains(#"\u{202e}"#))
    }

    @Test(arguments: [
        ("", "malformed"), ("a.b", "malformed"), ("a.b.c", "invalidEncoding"),
        (String(repeating: "a", count: 20_000), "tooLarge"),
    ])
    func whatIsNoTokenIsRefused(text: String, code: String) async throws {
        let run = await Run(["token", "show", "--json", "-"], input: text)
        #expect(run.exit == .refused)
        #expect(try run.errorCode() == code)
    }

    // MARK: - verify

    private static let refusals: [(options: [String], mint: [String], code: String)] = [
        (["--audience", "other"], [], "wrongAudience"),
        (["--audience", "api.example.com", "--issuer", "other"], ["--issuer", "i"], "wrongIssuer"),
        (["--audience", "api.example.com", "--issuer", "other"], [], "missingClaim"),
        (["--audience", "api.example.com", "--at", "1767225900"], [], "expired"),
        (["--audience", "api.example.com", "--at", "1767225599"], [], "issuedInTheFuture"),
        (["--audience", "api.example.com", "--type", "at+jwt"], [], "wrongType"),
    ]

    @Test(arguments: refusals)
    func aTokenThatIsNotRightIsRefused(options: [String], mint: [String], code: String) async throws {
        let token = try await Keys.token(folder, mint)
        let run = await verify(token, ["--key", folder["public.pem"], "--json"] + options)
        #expect(run.exit == .refused)
        #expect(try run.errorCode() == code)
        let text = await verify(token, ["--key", folder["public.pem"]] + options)
        #expect(text.exit == .refused && text.output == "" && text.errors.contains("\(code): "))
    }

    @Test func anotherKeyIsFound() async throws {
        let token = try await Keys.token(folder)
        try folder.write("other.pem", try Keys.other.get().publicKey.pem)
        let run = await verify(
            token,
            ["--key", folder["other.pem"], "--audience", "api.example.com", "--json"]
        )
        #expect(try run.errorCode() == "invalidSignature")
    }

    @Test func keySetsAndLeewayCount() async throws {
        let token = await mint(["--key", folder["private.jwk"], "--audience", "a"]).line
        let options = ["--jwks", folder["keys.json"], "--audience", "a"]
        let run = await verify(token, options + ["--type", "JWT", "--type", "x"])
        #expect(run.exit == .ok && run.output.hasPrefix("VERIFIED\n"))
        #expect(await verify(token, options + ["--at", "1767225901", "--leeway", "2"]).exit == .ok)
        #expect(await verify(token, options + ["--at", "1767225901", "--leeway", "1"]).exit == .refused)
        try folder.write("set.json", "{}")
        let broken = await verify(token, ["--jwks", folder["set.json"], "--audience", "a", "--json"])
        #expect(try broken.errorCode() == "invalidKeySet")
    }
}
