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

    @Test func whatMayLeaveTwiceIsSentAgain() async throws {
        let origin = try await origin(["--echo-upload", "--no-content-length"])
        let session = try makeSession()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<16 {
                group.addTask {
                    for number in 0..<250 {
                        let request = try HTTPRequest(
                            method: .put,
                            url: origin.url + "/",
                            body: HTTPBody("\(lane) \(number)")
                        )
                        let response = try await session.data(for: request)
                        #expect(response.body == Array("\(lane) \(number)".utf8))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
