import HTTPMessages
import HTTPTransport
import Locking
import TestSupport
import Testing

/// nghttpd ends a connection that has seen 1,000 streams reset, and 33 more a second.
@Suite(
    "Resets of HTTP/2",
    .enabled(
        if: Program.nghttpd.isPresent,
        "nghttpd is not installed: make test installs it"
    ),
    .timeLimit(.minutes(2))
)
struct StreamResetTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write("file", pattern(256))
    }

    private func origin(_ options: [String]) async throws -> (daemon: Daemon, url: String) {
        let port = Loopback.freePort()
        let authority = try CertificateAuthority.shared.folder
        let daemon = try await Daemon(
            Program.nghttpd.rawValue,
            options + [
                "-v", "-a", "127.0.0.1", "-d", folder.path, "\(port)", authority["good.key"],
                authority["good.pem"],
            ],
            log: folder["log"],
            port: port
        )
        return (daemon, "https://127.0.0.1:\(port)")
    }

    private func countOfResets() throws -> Int {
        try folder.text("log").ranges(of: "recv RST_STREAM").count
    }

    @Test func aLengthEndsAStreamWithoutAReset() async throws {
        let origin = try await origin([])
        let session = try makeSession()
        var connections = 0
        for _ in 0..<1_500 {
            let response = try await session.data(from: origin.url + "/file")
            #expect(response.status == .ok && response.metrics?.protocolName == "HTTP/2")
            if response.metrics?.isConnectionReused == false { connections += 1 }
        }
        #expect(connections == 1)
        #expect(try countOfResets() == 0)
    }

    /// Without a length libcurl resets each stream, and a POST must not leave twice.
    @Test func aConnectionIsChangedBeforeItsServerEndsIt() async throws {
        let origin = try await origin(["--echo-upload", "--no-content-length"])
        let session = try makeSession()
        var connections = 0
        for number in 0..<2_000 {
            let request = try HTTPRequest(method: .post, url: origin.url + "/", body: HTTPBody("\(number)"))
            let response = try await session.data(for: request)
            #expect(response.body == Array("\(number)".utf8))
            if response.metrics?.isConnectionReused == false { connections += 1 }
        }
        #expect(connections == 3)
        #expect(try countOfResets() > 1_900)
    }

    /// A stream that nobody reads keeps the connection in use until the server ends it.
    @Test func whatMayLeaveTwiceIsSentAgain() async throws {
        let origin = try await origin(["--echo-upload", "--no-content-length"])
        _ = try folder.write("large", pattern(8 << 20))
        let session = try makeSession()
        let (_, stream) = try await session.bytes(for: HTTPRequest(url: origin.url + "/large"))
        var connections = 0
        for number in 0..<1_500 {
            let request = try HTTPRequest(
                method: .put,
                url: origin.url + "/",
                body: HTTPBody("\(number)")
            )
            let response = try await session.data(for: request)
            #expect(response.body == Array("\(number)".utf8))
            if response.metrics?.isConnectionReused == false { connections += 1 }
        }
        withExtendedLifetime(stream) { #expect(connections > 0) }
    }
}
