import Encodings
import TestSupport
import Testing

@testable import ProtectionCommands

@Suite("Secrets", .timeLimit(.minutes(2))) struct SecretTests {
    private static let token = "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJlLXNpZ25hdHVyZQ"

    private static let lines: [[String]] = [
        ["token", "show", token], ["token", "verify", "--audience", "a", "--key", "k", token],
        ["token", "show", "--nothing=\(token)"], [token], ["request", "-d", token, "https://a.test"],
        ["request", "https://a.test/?token=\(token)"],
        ["request", "-H", "X: Bearer \(token)", "https://a.test"],
        ["request", "--token-file", token, "https://a.test"],
        ["token", "mint", "--key", "-----BEGIN PRIVATE KEY-----\nMC4CAQAw\n-----END PRIVATE KEY-----"],
        ["token", "mint", "--key", "-----BEGIN EC PRIVATE KEY-----"],
        ["token", "mint", "--key", #"{"kty":"oct","k":"c2VjcmV0"}"#],
        ["token", "mint", "--key", #"{"kty":"EC","d":"c2VjcmV0"}"#],
        ["request", "-H", "Authorization: Bearer x", "https://a.test"],
        ["request", "-H", "authorization:x", "https://a.test"],
        ["request", "-H", "Cookie: a=b", "https://a.test"],
        ["request", "-H", "Proxy-Authorization: x", "https://a.test"],
        ["request", "-H", "Protection-Token: x", "https://a.test"],
        ["request", "-H", "X-Mine: x", "--token-header", "x-mine", "--config", "c", "https://a.test"],
    ]

    @Test(arguments: lines) func aSecretOnTheCommandLineIsRefused(line: [String]) async throws {
        let run = await Run(line)
        #expect(run.exit == .usage && run.errors.contains("secretOnCommandLine"), "\(run.errors)")
        for secret in [Self.token, "c2lnbmF0dXJl", "MC4CAQAw", "c2VjcmV0", "Bearer x", "a=b"] {
            #expect(!run.errors.contains(secret))
        }
        #expect(try await Run(line + ["--json"]).errorCode() == "secretOnCommandLine")
    }

    @Test(arguments: ["eyJust.a.name", "app.config", "eyJ.one", "https://a.test/eyJ/a.b.c"])
    func otherTextIsTaken(text: String) throws {
        if text == "eyJust.a.name" {
            // Starts as a token does and has two dots: told apart by nothing, so it is refused.
            #expect(throws: ToolError.self) { try SecretScan.check([text]) }
        } else {
            try SecretScan.check([text])
        }
    }

    @Test func noKeyIsEverWritten() async throws {
        let folder = try TemporaryFolder()
        try await Keys.write(to: folder)
        let body = try folder.text("private.pem").split(separator: "\n")[1]
        let jwk =
            try JSONValue(parsing: Array(try folder.text("private.jwk").utf8)).object?["d"]?.string ?? ""
        let hex = Hex.encode(Keys.secret)
        var shown = ""
        for name in ["private.pem", "private.jwk", "secret.hex", "secret.raw", "secrets.json", "app.config"] {
            for line in [
                ["token", "mint", "--key", folder[name]], ["token", "show", folder[name]],
                ["config", "show", folder[name]],
                ["token", "mint", "--key", folder[name], "--json", "--alg", "HS256"],
                ["token", "verify", "--audience", "a", "--key", folder[name], folder[name]],
                ["token", "verify", "--audience", "a", "--jwks", folder[name], folder[name]],
                ["token", "mint", "--key", folder["private.pem"], "--claims", folder[name], "--json"],
            ] where !(line.contains("--claims") && !name.hasPrefix("secret.")) {
                let run = await Run(line)
                shown += run.output + run.errors
            }
        }
        #expect(!jwk.isEmpty && !shown.contains(body) && !shown.contains(jwk) && !shown.contains(hex))
    }

    @Test func coloursAreForTerminalsOnly() async throws {
        let folder = try TemporaryFolder()
        try await Keys.write(to: folder)
        let line = ["config", "show", folder["app.config"]]
        func isColoured(_ environment: [String: String], isTerminal: Bool, json: Bool = false) async -> Bool {
            await Run(
                line + (json ? ["--json"] : []),
                environment: environment,
                isTerminal: isTerminal
            ).output.contains("\u{1B}[")
        }
        #expect(await isColoured([:], isTerminal: true))
        #expect(await isColoured(["NO_COLOR": ""], isTerminal: true))
        #expect(await !isColoured([:], isTerminal: false))
        #expect(await !isColoured(["NO_COLOR": "1"], isTerminal: true))
        #expect(await !isColoured(["TERM": "dumb"], isTerminal: true))
        #expect(await !isColoured([:], isTerminal: true, json: true))
        #expect(await Run(["tokn"], isTerminal: true).errors.contains("\u{1B}[1;31m"))
    }
}
