import Cryptography
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import TestSupport
import Testing

@Suite("Chain of a server", .timeLimit(.minutes(1))) struct ServerChainTests {
    private let authority: CertificateAuthority

    init() throws { authority = try .shared }

    private func session(
        roots: String = "root.pem",
        pins: PinningPolicy = PinningPolicy()
    ) throws -> CurlSession {
        var configuration = CurlSession.Configuration(trustRoots: .pem(try authority.bytes(roots)))
        configuration.pins = pins
        return try CurlSession(configuration: configuration)
    }

    @Test func itIsShownUpToItsRootAndNothingIsSent() async throws {
        let requests = Counter()
        let server = try authority.server("chained", counting: requests)
        let chain = try await session().chain(of: RequestTarget(server.url))
        #expect(
            try chain.certificates.first?.subjectPublicKeyInfo
                == authority.certificate("alone").subjectPublicKeyInfo
        )
        #expect(
            try chain.certificates.dropFirst() == [
                authority.certificate("issuer"), authority.certificate("root"),
            ]
        )
        #expect(chain.distrust == nil && requests.value.withLock(\.self) == 0)
    }

    @Test func whatIsNotTrustedIsShownAsItWasSent() async throws {
        let server = try authority.server("chained")
        let chain = try await session(roots: "other.pem").chain(of: RequestTarget(server.url))
        #expect(chain.certificates.count == 2 && chain.distrust?.code == .certificateNotTrusted)
    }

    @Test func pinsAndKeptConnectionsDoNotMatter() async throws {
        let server = try authority.server("good")
        let strange = try PublicKeyPin(sha256: [UInt8](repeating: 1, count: 32))
        let target = try RequestTarget(server.url)
        let pinned = try session(pins: PinningPolicy(others: PinSet([strange])))
        #expect(try await pinned.chain(of: target).distrust == nil)
        let session = try session()
        #expect(try await session.data(from: server.url).status == .ok)
        for _ in 0..<2 {
            #expect(try await session.chain(of: target).certificates.isEmpty == false)
        }
        #expect(try await session.data(from: server.url).status == .ok)
    }

    @Test func withoutAHandshakeThereIsNone() async throws {
        let session = try session()
        for (url, code) in [
            ("http://127.0.0.1:1/", .unsupported), ("https://127.0.0.1:1/", .connectFailed),
        ] as [(String, TransportError.Code)] {
            let error = await #expect(throws: TransportError.self) {
                try await session.chain(of: RequestTarget(url))
            }
            #expect(error?.code == code)
        }
        session.close()
        let error = await #expect(throws: TransportError.self) {
            try await session.chain(of: RequestTarget("https://127.0.0.1:1/"))
        }
        #expect(error?.code == .sessionClosed)
    }
}
