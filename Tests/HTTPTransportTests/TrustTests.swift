import HTTPMessages
import HTTPServing
import HTTPTransport
import TestSupport
import Testing

@Suite("Trust", .timeLimit(.minutes(1))) struct TrustTests {
    private let authority: CertificateAuthority

    init() throws { authority = try .shared }

    private func session(_ roots: String = "root.pem", asFile: Bool = true) throws -> CurlSession {
        try CurlSession(
            configuration: .init(
                trustRoots: asFile
                    ? .file(authority.folder[roots]) : .pem(try authority.bytes(roots))
            )
        )
    }

    @Test(arguments: [true, false]) func aKnownRootIsTrusted(asFile: Bool) async throws {
        let server = try authority.server("good")
        let session = try session(asFile: asFile)
        for host in ["127.0.0.1", "localhost", "LOCALHOST"] {
            let url = "https://\(host):\(server.port)/a"
            #expect(try await session.data(from: url).text == url.lowercased())
        }
    }

    @Test(arguments: [true, false]) func anUnknownRootIsNotTrusted(asFile: Bool) async throws {
        let server = try authority.server("good")
        let session = try session("other.pem", asFile: asFile)
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: server.url)
        }
        #expect(error.code == .certificateNotTrusted && error.phase == .securing && !error.isRetryable)
    }

    @Test func theSystemsRootsDoNotKnowIt() async throws {
        let server = try authority.server("good")
        let session = try CurlSession()
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: server.url)
        }
        #expect(error.code == .certificateNotTrusted && error.message.hasSuffix(": its issuer is not known"))
    }

    @Test(arguments: [
        ("named", "it names another host"), ("expired", "it has expired"), ("early", "it is not valid yet"),
    ])
    func aCertificateThatDoesNotFitIsNotTrusted(name: String, reason: String) async throws {
        let server = try authority.server(name)
        let session = try session()
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: server.url)
        }
        #expect(error.code == .certificateNotTrusted && error.message.hasSuffix(": \(reason)"), "\(error)")
    }

    @Test func aChainWithoutItsIntermediateIsNotTrusted() async throws {
        let server = try authority.server("alone")
        let session = try session()
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: server.url)
        }
        #expect(error.code == .certificateNotTrusted && error.message.hasSuffix(": its issuer is not known"))
        let chained = try authority.server("chained")
        #expect(try await session.data(from: chained.url).status == .ok)
    }

    @Test func aPlainServerIsNotAnswered() async throws {
        let server = RawServer("HTTP/1.1 400 Bad Request\r\n\r\n", end: .keep, reads: false)
        let session = try session()
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: "https://127.0.0.1:\(server.port)/")
        }
        #expect(error.code == .tlsFailed)
    }

    @Test func rootsThatAreNoneAreRefused() throws {
        let broken = try authority.bytes("root.pem") + Array("-----BEGIN CERTIFICATE-----\nMIIB\n".utf8)
        for roots in [Array("none".utf8), [], broken, try authority.bytes("root.key")] {
            let error = try #require(throws: TransportError.self) {
                try CurlSession(configuration: .init(trustRoots: .pem(roots)))
            }
            #expect(error.code == .invalidConfiguration, "\(error)")
        }
    }

    @Test func sessionsDoNotShareTrust() async throws {
        let server = try authority.server("good")
        let trusting = try session()
        let other = try session("other.pem")
        #expect(try await trusting.data(from: server.url).status == .ok)
        await #expect(throws: TransportError.self) { try await other.data(from: server.url) }
    }
}
