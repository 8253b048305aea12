import Cryptography
import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

@Suite(
    "TLS with nginx",
    .enabled(if: NginxDaemon.isPresent, Comment(rawValue: NginxDaemon.absence)),
    .timeLimit(.minutes(1))
)
struct TLSTests {
    private let authority: CertificateAuthority
    private static let weak = "ssl_ciphers DEFAULT@SECLEVEL=0;"

    init() throws { authority = try .shared }

    private func revocationLists(_ names: String...) throws -> [UInt8] {
        try names.flatMap { try authority.bytes("\($0).crl") }
    }

    @Test(arguments: ["TLSv1.2", "TLSv1.3"], [true, false])
    func aServerThatAsksIsShownTheCertificate(version: String, allowsHTTP2: Bool) async throws {
        let settings = """
            ssl_protocols \(version); ssl_verify_client on; ssl_client_certificate \(authority.folder["root.pem"]);
            """
        let server = try await Nginx(tls: settings)
        let url = server.url + "/hello"
        for (name, text) in [("client", "hello CN=client"), ("successor", "hello CN=successor")] {
            let session = try makeSession {
                $0.clientIdentity = try authority.identity(name)
                $0.allowsHTTP2 = allowsHTTP2
            }
            for _ in 0..<3 { #expect(try await session.data(from: url).text == text) }
        }
        // nginx refuses by status; what a client showed that is not good enough reaches no content either.
        for name in [nil, "other", "self"] {
            let session = try makeSession {
                $0.clientIdentity = try name.map { try authority.identity($0) }
                $0.allowsHTTP2 = allowsHTTP2
            }
            let response = try await session.data(from: url)
            #expect(response.status == .badRequest && response.text?.contains("hello") == false)
        }
        // One that is for some hosts is shown to no other.
        let host = try RequestTarget(url).host
        for (hosts, status) in [(["other.example"], HTTPStatus.badRequest), ([], .badRequest), ([host], .ok)]
        {
            let session = try makeSession {
                $0.clientIdentity = try authority.identity("client")
                $0.clientIdentityHosts = try hosts.map { try HostPattern($0) }
                $0.allowsHTTP2 = allowsHTTP2
            }
            #expect(try await session.data(from: url).status == status)
        }
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func aHandshakeThatIsRefusedIsAnError(version: String) async throws {
        let folder = try TemporaryFolder()
        let port = Loopback.freePort()
        let server = try await Daemon(
            "openssl",
            [
                "s_server", "-accept", "127.0.0.1:\(port)", "-www", version, "-Verify", "2",
                "-verify_return_error", "-cert", authority.folder["good.pem"], "-key",
                authority.folder["good.key"], "-CAfile", authority.folder["root.pem"],
            ],
            log: folder["log"],
            port: port
        )
        let url = "https://127.0.0.1:\(port)/"
        for name in [nil, "other", "self"] {
            let session = try makeSession { $0.clientIdentity = try name.map { try authority.identity($0) } }
            let error = try await refusal(of: url, by: session)
            #expect(error.code == .tlsFailed && !error.isRetryable, "\(name ?? "none"): \(error)")
        }
        let known = try makeSession { $0.clientIdentity = try authority.identity("client") }
        #expect(try await known.data(from: url).status == .ok)
        withExtendedLifetime(server) {}
    }

    @Test func oldVersionsAreNotSpoken() async throws {
        let modern = try await Nginx(tls: "ssl_protocols TLSv1.3;")
        let strict = try makeSession { $0.minimumTLSVersion = .tls13 }
        #expect(try await strict.data(from: modern.url + "/hello").status == .ok)
        #expect(try await makeSession().data(from: modern.url + "/hello").status == .ok)
        let older = try await Nginx(tls: "ssl_protocols TLSv1.2;")
        #expect(try await makeSession().data(from: older.url + "/hello").status == .ok)
        let error = try await refusal(of: older.url + "/hello", by: strict)
        #expect(error.code == .tlsFailed && error.phase == .securing, "\(error)")
        for version in ["TLSv1", "TLSv1.1", "TLSv1 TLSv1.1"] {
            let oldest = try await Nginx(tls: "ssl_protocols \(version); \(Self.weak)")
            let error = try await refusal(of: oldest.url + "/hello", by: makeSession())
            #expect(error.code == .tlsFailed && error.phase == .securing, "\(version): \(error)")
        }
    }

    @Test func aWeakCipherIsNotSpoken() async throws {
        let server = try await Nginx(
            "rsa1024",
            tls: "ssl_protocols TLSv1.2; ssl_ciphers NULL-SHA256:eNULL:RC4:EXPORT:@SECLEVEL=0;"
        )
        let error = try await refusal(of: server.url + "/hello", by: makeSession())
        #expect(error.code == .tlsFailed, "\(error)")
    }

    /// OpenSSL's reasons: 66 is a key that is too small, 68 a hash that is too weak.
    @Test(arguments: [
        ("rsa1024", "verification result 66"), ("sha1", "verification result 68"),
        ("self", "it is self-signed"), ("other", "it is self-signed"),
    ])
    func aWeakOrStrangeCertificateIsNotTrusted(name: String, reason: String) async throws {
        let server = try await Nginx(name, tls: Self.weak)
        let error = try await refusal(of: server.url + "/hello", by: makeSession())
        #expect(error.code == .certificateNotTrusted && error.phase == .securing)
        #expect(error.message.hasSuffix(": " + reason), "\(error)")
        #expect(try await server.entries().isEmpty)
    }

    @Test func aRevokedCertificateIsNotTrusted() async throws {
        let both = try revocationLists("root", "issuer")
        let root = try revocationLists("root")
        let cases: [(name: String, lists: [UInt8]?, reason: String?)] = [
            ("good", root, nil), ("good", both, nil), ("chained", both, nil), ("revoked", nil, nil),
            ("revoked", root, "it was revoked"), ("revoked", both, "it was revoked"),
            ("withdrawn", both, "it was revoked"), ("withdrawn", nil, nil),
            // No list of the issuer is there.
            ("chained", root, "verification result 3"), ("withdrawn", root, "verification result 3"),
            ("good", try revocationLists("issuer"), "verification result 3"),
        ]
        for name in Set(cases.map(\.name)) {
            let server = try await Nginx(name)
            for item in cases where item.name == name {
                let session = try makeSession { $0.revocationLists = item.lists }
                if let reason = item.reason {
                    let error = try await refusal(of: server.url + "/hello", by: session)
                    #expect(
                        error.code == .certificateNotTrusted && error.message.hasSuffix(reason),
                        "\(error)"
                    )
                } else {
                    #expect(try await session.data(from: server.url + "/hello").status == .ok, "\(item)")
                }
            }
        }
    }

    @Test(
        arguments: [
            ("chained", "chained", true), ("withdrawn", "withdrawn", false), ("chained", "withdrawn", false),
            ("chained", nil, false),
        ] as [(String, String?, Bool)]
    )
    func aStapledStatusIsAskedFor(name: String, staple: String?, isGood: Bool) async throws {
        let server = try await Nginx(
            name,
            tls: staple.map { "ssl_stapling on; ssl_stapling_file \(authority.folder["\($0).ocsp"]);" } ?? ""
        )
        let strict = try makeSession { $0.requiresStapledStatus = true }
        if isGood {
            #expect(try await strict.data(from: server.url + "/hello").status == .ok)
        } else {
            let error = try await refusal(of: server.url + "/hello", by: strict)
            #expect(error.code == .certificateNotTrusted && error.phase == .securing, "\(error)")
            #expect(try await server.entries().isEmpty)
        }
        #expect(try await makeSession().data(from: server.url + "/hello").status == .ok)
    }

    @Test func aCertificateWithoutItsKeyIsNoIdentity() throws {
        let error = try #require(throws: CryptographyError.self) {
            try ClientIdentity(
                chain: [authority.certificate("client")],
                key: authority.key("successor")
            )
        }
        #expect(error.code == .invalidKey)
    }
}
