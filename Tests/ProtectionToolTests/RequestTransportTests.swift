import Cryptography
import Encodings
import FoundationEssentials
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import ProtectionTesting
import TestSupport
import Testing
import Timing

@testable import ProtectionCommands

/// The options of `request` that say how it is sent.
@Suite("request, transport", .timeLimit(.minutes(2))) struct RequestTransportTests {
    private static let strange = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    private static let found = (try? HTTPStatus(302)) ?? .ok

    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try await Keys.write(to: folder, hosts: ["localhost"])
    }

    private func request(
        _ server: SecureServer,
        _ arguments: [String],
        path: String = "/",
        isTerminal: Bool = false
    ) async throws -> Run {
        try folder.write("root.pem", server.root, mode: 0o644)
        let url = "https://localhost:\(server.port)\(path)"
        return await Run(
            ["request", "--cacert", folder["root.pem"], url] + arguments,
            isTerminal: isTerminal,
            time: .system
        )
    }

    /// The configuration that options lead to.
    private func configuration(_ arguments: [String]) async throws -> CurlSession.Configuration {
        let seen = Mutex<CurlSession.Configuration?>(nil)
        let run = await Run(["request", "https://a.test"] + arguments) { configuration in
            seen.withLock { $0 = configuration }
            return RecordingSession()
        }
        #expect(run.exit == .ok, "\(run.errors)")
        return try #require(seen.withLock { $0 })
    }

    private func refusal(_ arguments: [String]) async throws -> String? {
        let session = RecordingSession()
        let run = await Run(["request", "--json", "https://a.test"] + arguments) { _ in session }
        #expect(session.requests.isEmpty)
        return try run.errorCode()
    }

    // MARK: Pins

    @Test func aPinHolds() async throws {
        let server = try SecureServer()
        let run = try await request(server, ["--pin", "localhost=\(Self.strange)", "--json"])
        #expect(try run.errorCode() == "pinningFailed")
        #expect(server.requests.isEmpty)
        let good = Base64.standard.encode(try Certificate(pem: server.root).subjectPublicKeyInfoSHA256)
        let pins = ["--pin", "localhost=\(Self.strange)", "--pin", "localhost=\(good)"]
        #expect(try await request(server, pins).exit == .ok)
        #expect(try await request(server, ["--pin", "other.test=\(Self.strange)"]).exit == .ok)
        #expect(
            try await request(server, ["--pin", "*=\(Self.strange)", "--json"]).errorCode() == "pinningFailed"
        )
    }

    @Test func aPinStandsBeforeThoseOfTheConfiguration() async throws {
        let server = try SecureServer()
        let good = Base64.standard.encode(try Certificate(pem: server.root).subjectPublicKeyInfoSHA256)
        let line = try await Keys.configuration(
            folder,
            hosts: ["localhost"],
            pins: ["localhost=\(Self.strange)"]
        )
        try folder.write("pinned.config", line)
        let options = [
            "--config", folder["pinned.config"], "--authority-key", folder["private.pem"], "--json",
        ]
        // Another host's pin leaves those of the configuration in force.
        let other = try await request(server, options + ["--pin", "other.test=\(good)"])
        #expect(try other.errorCode() == "pinningFailed")
        #expect(try await request(server, options + ["--pin", "localhost=\(good)"]).exit == .ok)
    }

    @Test(arguments: ["localhost", "localhost=x", "a b=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="])
    func whatIsNoPinIsRefused(pin: String) async throws {
        #expect(try await refusal(["--pin", pin]) == "usage")
    }

    // MARK: Connections

    @Test func theVersionOfHTTPCanBeChosen() async throws {
        #expect(try await configuration([]).allowsHTTP2)
        #expect(try await configuration(["--http2"]).allowsHTTP2)
        #expect(try await configuration(["--http1.1"]).allowsHTTP2 == false)
        #expect(try await refusal(["--http1.1", "--http2"]) == "usage")
    }

    @Test func aProxyIsTaken() async throws {
        #expect(try await configuration([]).proxy == nil)
        let http = try await configuration(["-x", "http://proxy.test:3128"]).proxy
        #expect(http == (try Proxy(.http, host: "proxy.test", port: 3128)))
        let socks = try await configuration(["--proxy", "socks5h://[::1]:1080"]).proxy
        #expect(socks == (try Proxy(.socks5, host: "[::1]", port: 1080)))
        try folder.write("proxy.txt", "user:pass:word\n")
        let known = try await configuration([
            "--proxy", "http://proxy.test:3128", "--proxy-user-file", folder["proxy.txt"],
        ]).proxy
        #expect(
            known
                == (try Proxy(.http, host: "proxy.test", port: 3128, user: "user", password: "pass:word"))
        )
    }

    @Test(arguments: [
        (["--proxy", "http://proxy.test"], "usage"), (["--proxy", "https://proxy.test:1"], "usage"),
        (["--proxy", "proxy.test:1"], "usage"), (["--proxy", "http://:1"], "usage"),
        (["--proxy", "http://proxy.test:x"], "usage"),
        (["--proxy", "http://proxy.test:0"], "invalidConfiguration"),
        (["--proxy", "http://a/b:1"], "invalidConfiguration"),
        (["--proxy", "http://user:secret@proxy.test:1"], "secretOnCommandLine"),
        (["--proxy-user-file", "absent"], "usage"),
        (["--proxy", "http://proxy.test:1", "--proxy-user-file", "/no/such"], "unreadable"),
        (["--proxy", "http://proxy.test:1", "--proxy-user-file", "/dev/null"], "notText"),
    ]) func whatIsNoProxyIsRefused(arguments: [String], code: String) async throws {
        #expect(try await refusal(arguments) == code)
    }

    @Test func aProxyThatIsNotThereIsTrouble() async throws {
        let server = try SecureServer()
        let run = try await request(server, ["--proxy", "http://127.0.0.1:1", "--json"])
        #expect(run.exit == .trouble && server.requests.isEmpty)
    }

    @Test func theClientShowsItsCertificate() async throws {
        let key = try PrivateKey.generate(.p256)
        let certificate = try CertificateBuilder(
            commonName: "client",
            role: .client,
            notBefore: 0,
            notAfter: 4_000_000_000
        ).selfSigned(with: key)
        try folder.write("client.pem", certificate.pem, mode: 0o644)
        try folder.write("client.key", try key.pkcs8PEM())
        let (cert, file) = (["--cert", folder["client.pem"]], ["--key", folder["client.key"]])
        #expect(try await configuration(cert + file).clientIdentity?.chain == [certificate])
        #expect(try await configuration([]).clientIdentity == nil)
        #expect(try await refusal(cert) == "usage")
        #expect(try await refusal(file) == "usage")
        #expect(try await refusal(cert + ["--key", folder["private.pem"]]) == "invalidKey")
        #expect(try await refusal(["--cert", folder["client.key"]] + file) == "invalidPEM")
        try folder.write("octets", [0xFF])
        #expect(try await refusal(["--cert", folder["octets"]] + file) == "notText")
        // A key in a device, as far as it goes without one.
        let device = ["--provider", "tpm2"]
        #expect(try await refusal(device) == "usage")
        #expect(try await refusal(cert + device) == "usage")
        #expect(try await refusal(cert + file + ["--passphrase-file", folder["octets"]]) == "usage")
        #expect(try await refusal(cert + file + ["--provider-config", folder["octets"]]) == "usage")
        #expect(try await refusal(cert + file + ["--provider", "default"]) == "usage")
        #expect(try await refusal(cert + device + ["--key", "/no:such"]) == "unreadable")
        let pin = ["--provider", "pkcs11", "--key", "pkcs11:object=x?pin-value=1234"]
        #expect(try await refusal(cert + pin) == "secretOnCommandLine")
    }

    // MARK: Retries and redirects

    @Test func aFaultThatMayPassIsRetried() async throws {
        let count = Mutex(0)
        let server = try SecureServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return HTTPResponse(status: number < 3 ? .serviceUnavailable : .ok, body: Array("done".utf8))
        }
        let options = ["--config", folder["app.config"], "--authority-key", folder["private.pem"]]
        let run = try await request(server, options + ["--retry", "2", "-v"])
        #expect(run.exit == .ok && run.output == "done" && server.requests.count == 3)
        // Each attempt went through the protection.
        #expect(run.errors.split(separator: "\n").count { $0.hasPrefix("* decision: proceed") } == 3)
        count.withLock { $0 = 0 }
        #expect(try await request(server, ["--retry", "1", "--fail"]).exit == .refused)
        count.withLock { $0 = 0 }
        _ = try await request(server, ["--retry", "2", "-d", "a=b"])
        #expect(server.requests.count == 6)
        #expect(try await refusal(["--retry", "21"]) == "usage")
        #expect(try await refusal(["--retry", "-1"]) == "usage")
    }

    @Test func aRedirectIsFollowedWhenAskedFor() async throws {
        let server = try SecureServer { request in
            guard request.rawTarget == "/old" else {
                return HTTPResponse(status: .ok, body: Array("new".utf8))
            }
            let fields = (try? HTTPFields([HTTPField(.location, "/new")])) ?? HTTPFields()
            return HTTPResponse(status: Self.found, fields: fields)
        }
        let plain = try await request(server, ["-i"], path: "/old")
        #expect(plain.exit == .ok && plain.output.hasPrefix("HTTP/1.1 302\n") && server.requests.count == 1)
        let followed = try await request(
            server,
            ["-L", "--config", folder["app.config"]]
                + ["--authority-key", folder["private.pem"]],
            path: "/old"
        )
        #expect(followed.output == "new" && server.requests.map(\.rawTarget) == ["/old", "/old", "/new"])
        #expect(server.requests.dropFirst().allSatisfy { $0.fields.contains("Protection-Token") })
    }

    /// Of each hop alone there would be time enough.
    @Test func theLimitHoldsForAllHopsTogether() async throws {
        let silent = RawServer("", end: .keep)
        let server = try HTTPServer { [url = silent.url] _ in
            let fields = (try? HTTPFields([HTTPField(.location, url)])) ?? HTTPFields()
            return HTTPResponse(status: Self.found, fields: fields)
        }
        let time = ManualTime()
        async let running = Run(["request", "-L", "-m", "60", "--json", server.url], time: time.source)
        try await eventually { !silent.received.isEmpty }
        time.advance(by: .seconds(60))
        let run = await running
        #expect(try run.exit == .trouble && run.errorCode() == "timedOut")
    }

    @Test func aRedirectThatLeadsAwayFromTLSIsRefused() async throws {
        let server = try SecureServer { _ in
            let fields = (try? HTTPFields([HTTPField(.location, "http://a.test/")])) ?? HTTPFields()
            return HTTPResponse(status: Self.found, fields: fields)
        }
        let run = try await request(server, ["--location", "--json"])
        #expect(try run.exit == .refused && run.errorCode() == "insecureRedirect")
    }

    // MARK: Downloads

    @Test func aDownloadIsWholeOrNotThere() async throws {
        let content = [UInt8](repeating: 0x61, count: 3 << 20)
        let server = try SecureServer { request in
            HTTPResponse(status: request.rawTarget == "/" ? .ok : .notFound, body: content)
        }
        let run = try await request(server, ["-o", folder["out"]])
        #expect(run.exit == .ok && run.output == "" && run.errors == "", "\(run.errors)")
        #expect(try folder.text("out").utf8.count == content.count)
        let mode = try FileManager.default.attributesOfItem(atPath: folder["out"])[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // What is there stays when the server has nothing to give.
        let fault = try await request(server, ["-o", folder["out"], "--fail"], path: "/none")
        #expect(fault.exit == .refused)
        let other = try await request(server, ["-o", folder["new"]], path: "/none")
        #expect(other.exit == .ok && other.errors.contains("404, and nothing was saved"))
        #expect(try folder.text("out").utf8.count == content.count)
        #expect(!FileManager.default.fileExists(atPath: folder["new"]))
    }

    @Test func aLinkIsFollowedAndADeviceIsNotReplaced() async throws {
        let server = try SecureServer()
        try folder.write("real", "old")
        try FileManager.default.createSymbolicLink(
            atPath: folder["link"],
            withDestinationPath: folder["real"]
        )
        #expect(try await request(server, ["-o", folder["link"]]).exit == .ok)
        #expect(try folder.text("real") == "shapes\n")
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder["link"]) == folder["real"]
        )
        #expect(try await request(server, ["-o", "/dev/null"]).exit == .ok)
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(type == .typeCharacterSpecial)
    }

    @Test func aTerminalShowsHowFarADownloadIs() async throws {
        let content = [UInt8](repeating: 0x61, count: 1 << 20)
        let server = try SecureServer { _ in HTTPResponse(status: .ok, body: content) }
        let run = try await request(server, ["-o", folder["out"]], isTerminal: true)
        #expect(run.exit == .ok && run.errors.hasPrefix("\r[") && run.errors.hasSuffix("\n"))
        #expect(run.errors.contains("100% 1.0 MB of 1.0 MB"), "\(run.errors)")
        #expect(try await request(server, ["-o", folder["out"]]).errors == "")
        #expect(try await request(server, ["-f"], isTerminal: true).errors == "")
    }

    @Test(
        arguments: [
            (0, 100, "[........................................] 0% 0 B of 100 B"),
            (999, 1_998, "[####################....................] 50% 999 B of 1.9 kB"),
            (12_345_678, nil, "12.3 MB"), (2_000_000_000, nil, "2.0 GB"), (999_949, nil, "999.9 kB"),
            (200, 100, "[########################################] 100% 200 B of 100 B"),
            (
                Int.max, Int.max,
                "[########################################] 100% 9223372.0 TB of 9223372.0 TB"
            ),
        ] as [(Int, Int?, String)]
    )
    func progressIsOneShortLine(received: Int, expected: Int?, text: String) {
        let shown = ProgressBar.text(.init(sent: 0, received: received, expected: expected))
        #expect(shown == text && shown.count < 80)
    }

    @Test func aLimitHoldsForTheWholeDownload() async throws {
        let session = RecordingSession()
        let path = folder["out"]
        let limited = await Run(["request", "-m", "2", "-o", path, "https://a.test"]) { _ in session }
        #expect(limited.exit == .ok, "\(limited.errors)")
        let plain = await Run(["request", "-o", path, "https://a.test"]) { _ in session }
        #expect(plain.exit == .ok)
        #expect(session.requests.map(\.options.timeout) == [.seconds(2), nil])
        #expect(session.requests.allSatisfy { $0.options.streamsResponse })
    }
}
