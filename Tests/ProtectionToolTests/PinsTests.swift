import Cryptography
import Encodings
import HTTPMessages
import HTTPServing
import TestSupport
import Testing
import Timing

@testable import ProtectionCommands

@Suite("pins", .timeLimit(.minutes(2))) struct PinsTests {
    private let folder: TemporaryFolder
    private let server: SecureServer
    private let url: String

    init() throws {
        folder = try TemporaryFolder()
        server = try SecureServer()
        url = "https://localhost:\(server.port)/any?path"
        try folder.write("root.pem", server.root, mode: 0o644)
    }

    private func pins(_ arguments: [String]) async -> Run {
        await Run(["pins", "--cacert", folder["root.pem"]] + arguments, time: .system)
    }

    private func certificates(_ run: Run) throws -> [JSONObject] {
        let server = try #require(run.json()["servers"]?.array?.first?.object)
        return try #require(server["certificates"]?.array).compactMap(\.object)
    }

    @Test func theVerifiedChainIsShownAndNothingIsSent() async throws {
        let run = await pins([url])
        #expect(run.exit == .ok && run.errors == "", "\(run.errors)")
        let root = try Certificate(pem: server.root)
        let pin = Base64.standard.encode(root.subjectPublicKeyInfoSHA256)
        for part in [
            "https://localhost:\(server.port) trusted\n", "  subject  CN=good\n",
            "  issuer   CN=Root\n", "  subject  CN=Root\n",
            "  expires  \(Timestamp.text(root.notAfter)) (in ",
            "  config   localhost=\(pin)\n",
            "  pin      sha256/\(pin)\n",
        ] {
            #expect(run.output.contains(part), "\(part) is not in \(run.output)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test func theChainIsAlsoJSON() async throws {
        let run = await pins(["--json", url, url])
        let servers = try #require(try run.json()["servers"]?.array).compactMap(\.object)
        #expect(servers.count == 2 && servers.allSatisfy { $0["isTrusted"] == true && $0["reason"] == nil })
        #expect(servers[0]["host"] == "localhost")
        let root = try Certificate(pem: server.root)
        let shown = try certificates(run)
        #expect(shown.count == 2 && shown[0]["subject"] == "CN=good")
        #expect(shown[1]["notAfter"] == .integer(root.notAfter))
        #expect(shown[1]["issuer"] == "CN=Root")
    }

    @Test func whatIsShownCanBePastedAndHolds() async throws {
        for certificate in try certificates(await pins(["--json", url])) {
            let config = try #require(certificate["config"]?.string)
            let request = await Run(
                ["request", "--cacert", folder["root.pem"], "--pin", config, url],
                time: .system
            )
            #expect(request.exit == .ok, "\(request.errors)")
            let pin = try #require(certificate["pin"]?.string)
            #expect(try "sha256/" + PublicKeyPin(parsing: pin).base64 == pin)
        }
        #expect(server.requests.count == 2)
    }

    @Test func aChainThatIsNotTrustedIsMarked() async throws {
        try folder.write("other.pem", CertificateAuthority.shared.text("other.pem"), mode: 0o644)
        let arguments = ["pins", "--cacert", folder["other.pem"], url]
        let run = await Run(arguments, time: .system)
        #expect(run.exit == .refused)
        #expect(run.output.contains(" NOT TRUSTED: ") && run.output.contains("  subject  CN=good\n"))
        #expect(run.output.contains("(not trusted) localhost=") && !run.output.contains("  localhost="))
        #expect(!run.output.contains("  pin      sha256/"))
        let json = await Run(arguments + ["--json"], time: .system)
        #expect(json.exit == .refused)
        let first = try #require(try json.json()["servers"]?.array?.first?.object)
        #expect(first["isTrusted"] == false && first["reason"]?.string?.isEmpty == false)
        #expect(server.requests.isEmpty)
    }

    @Test func anotherNameIsNotTrusted() async throws {
        let run = await pins(["--json", "https://a.localhost:\(server.port)"])
        let first = try #require(try run.json()["servers"]?.array?.first?.object)
        #expect(run.exit == .refused && first["isTrusted"] == false)
        #expect(first["reason"]?.string?.contains("another host") == true)
        // The chain itself was verified, so the root is there too.
        #expect(try certificates(run).count == 2)
    }

    @Test func aServerThatFailsLeavesTheOthers() async throws {
        let run = await pins(["https://127.0.0.1:1", url])
        #expect(run.exit == .trouble && run.output.contains("  subject  CN=good\n"))
        #expect(run.errors.contains("connectFailed"))
        let json = await pins(["--json", "https://127.0.0.1:1", url])
        let servers = try #require(try json.json()["servers"]?.array).compactMap(\.object)
        #expect(json.exit == .trouble && servers.count == 2)
        #expect(servers[0]["error"]?.object?["code"] == "connectFailed")
        #expect(servers[0]["authority"] == "127.0.0.1:1" && servers[1]["isTrusted"] == true)
    }

    @Test func whatHasNoChainIsAnError() async throws {
        let plain = try HTTPServer { _ in HTTPResponse(status: .ok) }
        #expect(try await pins(["--json", "http://localhost:\(plain.port)"]).errorCode() == "usage")
        let run = await pins(["--json", "https://localhost:\(plain.port)"])
        // Such a server ends the connection, with a word of HTTP or without one.
        #expect(try run.exit == .trouble && ["tlsFailed", "connectionClosed"].contains(run.errorCode()))
        #expect(try await pins(["--json", "https://127.0.0.1:1"]).errorCode() == "connectFailed")
        #expect(try await pins(["--json", "no url"]).errorCode() == "usage")
        #expect(await Run(["pins"]).exit == .usage)
    }
}
