import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

/// nghttpd announces the length of a file and sends trailer fields after it.
@Suite(
    "Trailers over HTTP/2",
    .enabled(
        if: Program.nghttpd.isPresent,
        "nghttpd is not installed: make test installs it"
    ),
    .timeLimit(.minutes(1))
)
struct TrailerTests {
    private let folder: TemporaryFolder
    private let origin: Daemon
    private let originURL: String

    init() async throws {
        folder = try TemporaryFolder()
        try folder.write("file", pattern(300_000))
        let port = Loopback.freePort()
        originURL = "https://127.0.0.1:\(port)"
        let authority = try CertificateAuthority.shared.folder
        let arguments = [
            "-a", "127.0.0.1", "-d", folder.path, "--trailer", "x-sum: 6", "--trailer", "x-end: yes",
            "--echo-upload", "-b", "255", "\(port)",
        ]
        origin = try await Daemon(
            Program.nghttpd.rawValue,
            arguments + [authority["good.key"], authority["good.pem"]],
            log: folder["log"],
            port: port
        )
    }

    private func accepting(_ url: String) throws -> HTTPRequest {
        var request = try HTTPRequest(url: url)
        request.options.acceptsTrailers = true
        return request
    }

    @Test func trailersThatNobodyAskedForAreLeft() async throws {
        let response = try await makeSession().data(from: originURL + "/file")
        #expect(response.body == pattern(300_000) && response.trailers.isEmpty)
    }

    @Test func trailersComeAfterTheContent() async throws {
        let session = try makeSession()
        let (head, stream) = try await session.bytes(for: accepting(originURL + "/file"))
        #expect(head.metrics?.protocolName == "HTTP/2")
        #expect(!head.fields.contains("x-sum") && head.fields["content-length"] == "300000")
        #expect(try await stream.collect(upTo: 1 << 20) == pattern(300_000))
        #expect(stream.trailers["x-sum"] == "6" && stream.trailers["x-end"] == "yes")
        let whole = try await session.data(for: accepting(originURL + "/file"))
        #expect(whole.trailers.map { "\($0.name)=\($0.value)" } == ["x-sum=6", "x-end=yes"])
        #expect(!whole.fields.contains("x-sum") && whole.body == pattern(300_000))
    }

    @Test func trailersCountAsPartOfTheHead() async throws {
        let request = try accepting(originURL + "/file")
        let generous = try await makeSession().data(for: request)
        let session = try makeSession { $0.maximumFieldCount = generous.fields.count + 1 }
        let error = try await #require(throws: TransportError.self) { try await session.data(for: request) }
        #expect(error.code == .responseTooLarge, "\(error)")
    }

    @Test func anEchoOfAStreamComesBackFromAnotherServer() async throws {
        let session = try makeSession()
        let content = pattern(3 << 20)
        let pieces = AsyncStream { producer in
            for start in stride(from: 0, to: content.count, by: 65_536) {
                producer.yield(Array(content[start..<min(start + 65_536, content.count)]))
            }
            producer.finish()
        }
        let request = try HTTPRequest(method: .post, url: originURL + "/")
        let response = try await session.upload(for: request, from: HTTPBodyStream(pieces))
        #expect(response.status == .ok && response.body == content)
        #expect(response.metrics?.protocolName == "HTTP/2")
    }
}
