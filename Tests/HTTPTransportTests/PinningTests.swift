import Cryptography
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import TestSupport
import Testing

@Suite("Pinning", .timeLimit(.minutes(1))) struct PinningTests {
    private let authority: CertificateAuthority

    init() throws { authority = try .shared }

    private func pin(_ name: String) throws -> PublicKeyPin {
        try PublicKeyPin(sha256: authority.certificate(name).subjectPublicKeyInfoSHA256)
    }

    private func session(
        _ pins: PinningPolicy = PinningPolicy(),
        roots: String = "root.pem",
        reporter: (@Sendable (PinningReport) -> Void)? = nil
    ) throws -> CurlSession {
        var configuration = CurlSession.Configuration(trustRoots: .pem(try authority.bytes(roots)))
        configuration.pins = pins
        configuration.pinningReporter = reporter
        return try CurlSession(configuration: configuration)
    }

    private func policy(_ pins: [PublicKeyPin], host: String = "127.0.0.1") throws -> PinningPolicy {
        PinningPolicy([try HostPattern(host): PinSet(pins)])
    }

    private func refusal(
        _ session: CurlSession,
        _ url: String,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> TransportError {
        try await #require(throws: TransportError.self, sourceLocation: location) {
            try await session.data(from: url)
        }
    }

    /// A key that no certificate has.
    private func strange(_ octet: UInt8 = 1) throws -> PublicKeyPin {
        try PublicKeyPin(sha256: [UInt8](repeating: octet, count: 32))
    }

    @Test(arguments: ["alone", "issuer", "root"]) func anyKeyOfTheChainMayBePinned(name: String) async throws
    {
        let server = try authority.server("chained")
        let session = try session(policy([strange(), pin(name)]))
        #expect(try await session.data(from: server.url).status == .ok)
    }

    @Test func certificatesArePinned() async throws {
        let server = try authority.server("chained")
        let files = authority.folder
        for name in ["issuer", "chained"] {
            let pins = try PinSet(certificateFile: files["\(name).pem"])
            let policy = PinningPolicy([try HostPattern("127.0.0.1"): pins])
            #expect(try await session(policy).data(from: server.url).status == .ok)
        }
        let pair = try PinSet(certificates: authority.bytes("chained.pem"), expiresAt: 7, mode: .reportOnly)
        #expect(try pair.pins == [pin("alone"), pin("issuer")])
        #expect(pair.expiresAt == 7 && pair.mode == .reportOnly)
        let root = try PinSet(certificates: authority.certificate("root").der)
        #expect(try root.pins == [pin("root")])
        for octets in [[], [0x30], Array("sha256/".utf8), try authority.bytes("root.key")] {
            let error = #expect(throws: TransportError.self) { try PinSet(certificates: octets) }
            #expect(error?.code == .invalidConfiguration)
        }
        for path in [files["none.pem"], files.path, "/dev/null", "a\0b"] {
            let error = #expect(throws: TransportError.self) { try PinSet(certificateFile: path) }
            #expect(error?.code == .invalidConfiguration)
        }
    }

    @Test func aKeyThatIsNotPinnedIsRefused() async throws {
        let requests = Counter()
        let server = try authority.server("chained", counting: requests)
        let error = try await refusal(session(policy([strange(), strange(2)])), server.url)
        #expect(error.code == .pinningFailed && error.phase == .securing && !error.isRetryable)
        let report = try #require(error.pinning)
        #expect(report.host == "127.0.0.1" && report.isChainTrusted && report.mode == .enforce)
        #expect(try report.expected == [strange(), strange(2)])
        #expect(try report.chain == [pin("alone"), pin("issuer"), pin("root")])
        #expect(error.description.contains(try pin("issuer").description))
        #expect(requests.value.withLock { $0 } == 0)
    }

    @Test func onePinOfOneBitLessIsAnotherPin() async throws {
        let server = try authority.server("good")
        for bit in 0..<8 {
            var hash = try pin("good").sha256
            hash[bit * 4] ^= 1 << UInt8(bit)
            let error = try await refusal(session(policy([PublicKeyPin(sha256: hash)])), server.url)
            #expect(error.code == .pinningFailed)
        }
    }

    @Test func pinsDoNotTakeThePlaceOfTrust() async throws {
        let server = try authority.server("good")
        let error = try await refusal(session(policy([pin("good")]), roots: "other.pem"), server.url)
        #expect(error.code == .certificateNotTrusted)
        let report = try #require(error.pinning)
        #expect(!report.isChainTrusted)
        #expect(try report.chain == [pin("good")])
        let named = try authority.server("named")
        let other = try await refusal(session(policy([pin("named")])), named.url)
        #expect(other.code == .certificateNotTrusted && other.message.hasSuffix(": it names another host"))
        let expired = try authority.server("expired")
        let old = try await refusal(session(policy([pin("expired")])), expired.url)
        #expect(old.code == .certificateNotTrusted && old.message.hasSuffix(": it has expired"))
    }

    @Test func aSetWithoutPinsFitsNothing() async throws {
        let server = try authority.server("good")
        let error = try await refusal(session(policy([])), server.url)
        #expect(error.code == .pinningFailed && error.pinning?.chain == [])
    }

    @Test func theNearestSetCounts() async throws {
        let server = try authority.server("chained")
        let good = PinSet([try pin("root")])
        let bad = PinSet([try strange()])
        let cases: [(PinningPolicy, host: String, isFit: Bool)] = [
            (PinningPolicy([try HostPattern("*.localhost"): good], others: bad), "a.localhost", true),
            (PinningPolicy([try HostPattern("*.localhost"): bad], others: good), "a.localhost", false),
            (PinningPolicy([try HostPattern("*.localhost"): bad], others: good), "b.a.localhost", true),
            (PinningPolicy([try HostPattern("*.localhost"): bad]), "localhost", true),
            (
                PinningPolicy([try HostPattern("*.localhost"): bad, try HostPattern("a.localhost"): good]),
                "A.localhost", true
            ),
            (PinningPolicy(others: bad), "localhost", false),
        ]
        for (pins, host, isFit) in cases {
            let session = try session(pins)
            let url = "https://\(host):\(server.port)/"
            if isFit {
                #expect(try await session.data(from: url).status == .ok, "\(host)")
            } else {
                #expect(try await refusal(session, url).code == .pinningFailed, "\(host)")
            }
        }
    }

    /// A session with a pin that nothing fits and that is only told of, and what it has told.
    private func reporting() throws -> (session: CurlSession, reports: () -> [PinningReport]) {
        let reports = Mutex<[PinningReport]>([])
        var pins = try policy([strange()])
        pins[try HostPattern("127.0.0.1")]?.mode = .reportOnly
        let session = try session(pins) { report in reports.withLock { $0.append(report) } }
        return (session, { reports.withLock { $0 } })
    }

    @Test func whatGoesInTheClearIsReportedToo() async throws {
        let server = RawServer()
        let (session, reports) = try reporting()
        #expect(try await session.data(from: server.url).status == .ok)
        let report = try #require(reports().first)
        #expect(try report.expected == [strange()] && report.chain.isEmpty && !report.isChainTrusted)
    }

    @Test func onlyReportingLetsItPass() async throws {
        let server = try authority.server("good")
        let (session, reports) = try reporting()
        #expect(try await session.data(from: server.url).status == .ok)
        let report = try #require(reports().first)
        #expect(report.mode == .reportOnly && report.isChainTrusted)
        #expect(try report.chain == [pin("good"), pin("root")])
        session.setPins(try policy([strange()]))
        #expect(try await refusal(session, server.url).code == .pinningFailed)
        #expect(reports().map(\.mode) == [.reportOnly, .enforce])
        session.setPins(try policy([pin("good")]))
        #expect(try await session.data(from: server.url).status == .ok)
        #expect(reports().count == 2)
    }

    @Test func aSetThatHasEndedDoesNotCount() async throws {
        let server = try authority.server("good")
        var pins = try policy([strange()])
        pins[try HostPattern("127.0.0.1")]?.expiresAt = 4_000_000_000
        #expect(try await refusal(session(pins), server.url).code == .pinningFailed)
        pins[try HostPattern("127.0.0.1")]?.expiresAt = 1_700_000_000
        #expect(try await session(pins).data(from: server.url).status == .ok)
    }

    @Test func newPinsHoldForConnectionsThatAreOpen() async throws {
        let server = try authority.server("good")
        let session = try session(policy([pin("good")]))
        for _ in 0..<3 {
            #expect(try await session.data(from: server.url).status == .ok)
            session.setPins(try policy([strange()]))
            #expect(try await refusal(session, server.url).code == .pinningFailed)
            session.setPins(PinningPolicy())
            #expect(try await session.data(from: server.url).status == .ok)
            session.setPins(try policy([strange()]))
            #expect(try await refusal(session, server.url).code == .pinningFailed)
            session.setPins(try policy([pin("root"), strange()]))
        }
    }

    @Test func aRequestBringsPinsOfItsOwn() async throws {
        let server = try authority.server("good")
        let session = try session(policy([strange()]))
        var request = try HTTPRequest(url: server.url)
        request.options.pins = try policy([pin("good")])
        #expect(try await session.data(for: request).status == .ok)
        request.options.pins = PinningPolicy()
        #expect(try await session.data(for: request).status == .ok)
        request.options.pins = nil
        request.options.isPinned = false
        #expect(try await session.data(for: request).status == .ok)
        request.options.isPinned = true
        await #expect(throws: TransportError.self) { try await session.data(for: request) }
    }

    @Test func aPinnedHostIsNotReachedInTheClear() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: .ok) }
        let session = try session(policy([strange()]))
        #expect(try await refusal(session, server.url).code == .pinningFailed)
        var request = try HTTPRequest(url: server.url)
        request.options.isPinned = false
        #expect(try await session.data(for: request).status == .ok)
    }

    @Test func rotationUnderLoadLetsNothingThrough() async throws {
        let server = try authority.server("good")
        let session = try session(policy([pin("good")]))
        let wrong = try policy([strange()])
        let right = try policy([pin("good")])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    var request = try HTTPRequest(url: server.url)
                    request.options.pins = number.isMultiple(of: 2) ? right : wrong
                    if number.isMultiple(of: 2) {
                        #expect(try await session.data(for: request).status == .ok)
                    } else {
                        let error = await #expect(throws: TransportError.self) {
                            try await session.data(for: request)
                        }
                        #expect(error?.code == .pinningFailed)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
