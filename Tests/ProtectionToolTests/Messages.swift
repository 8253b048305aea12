import ProtectionCommands
import TestSupport
import Timing
import Testing

/// Messages and a policy that the examples and the tests of the signature commands use.
enum Messages {
    static let body = #"{"hello": "world"}"#

    static let request =
        "POST /foo?param=Value&Pet=dog HTTP/1.1\r\nHost: example.com\r\nDate: Tue, 20 Apr 2021 02:07:55 GMT\r\n"
        + "Content-Type: application/json\r\nContent-Length: 18\r\n\r\n\(body)"

    static let json =
        #"{"method":"POST","url":"https://example.com/foo?param=Value&Pet=dog","fields":[["Content-Type","#
        + #""application/json"]],"body":"{\"hello\": \"world\"}"}"#

    static let policy =
        #"{"requiredComponents":["\"@method\"","\"@authority\"","\"content-digest\""],"maximumAge":31536000}"#

    static let components = #""@method" "@authority" "content-digest""#

    /// Writes the files; the signed message is as old as the process is.
    static func write(to folder: TemporaryFolder) async throws {
        try folder.write("request.http", request)
        try folder.write("request.json", json)
        try folder.write("body.json", body)
        try folder.write("policy.json", policy, mode: 0o644)
        let run = await Run(
            ["signature", "sign", "--key", folder["private.pem"], "--digest", "sha-256"]
                + ["--components", components, folder["request.http"]],
            time: .system
        )
        try #require(run.exit == .ok, "\(run.errors)")
        try folder.write("signed.http", run.octets)
    }
}
