import HTTPMessages
import HTTPServing
import Locking
import TestSupport
import Testing

@testable import ProtectionCommands

/// What is for the host of the URL, and for no other that a redirect leads to.
@Suite("request and its credentials", .timeLimit(.minutes(1))) struct RequestCredentialTests {
    private final class Recorder: HTTPHandler {
        let fields = Mutex<[HTTPFields]>([])

        func respond(to request: ServedRequest) async -> HTTPResponse {
            fields.withLock { $0.append(request.fields) }
            return HTTPResponse(status: .ok, body: Array("end".utf8))
        }
    }

    @Test func fieldsOfAFileStayWithTheirHost() async throws {
        let folder = try TemporaryFolder()
        try folder.write("fields", "X-Api-Key: hidden\nAuthorization: Bearer hidden\n", mode: 0o600)
        let recorder = Recorder()
        let other = try HTTPServer(handler: recorder)
        let fields = HTTPFields([try HTTPField(.location, other.url + "/")])
        let found = try HTTPStatus(302)
        let server = try HTTPServer { _ in HTTPResponse(status: found, fields: fields) }
        let run = await Run(
            ["request", "-L", "-H", "@" + folder["fields"], "-H", "X-Plain: told", server.url + "/"]
        )
        #expect(run.exit == .ok && run.output == "end", "\(run.errors)")
        let received = try #require(recorder.fields.withLock { $0.first })
        #expect(!received.contains("X-Api-Key") && !received.contains("Authorization"))
        #expect(received["X-Plain"] == "told")
    }
}
