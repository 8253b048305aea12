import HTTPMessages
import HTTPServing
import Testing

/// How long a client may take to read an answer.
extension HTTPServerLimitTests {
    /// Waits for a second, told by a server that ends a silent connection then.
    static func waitASecond() async throws {
        let clock = try HTTPServer(
            configuration: .init(requestTimeout: .seconds(1)),
            handler: Describer()
        )
        #expect(try await Loopback(port: clock.port).receive().isEmpty)
    }

    /// More than the system's buffers hold, so that the rest has to wait for the client.
    @Test(arguments: [Duration.milliseconds(500), nil]) func anAnswerMustBeReadInTime(
        limit: Duration?
    ) async throws {
        let length = 32 << 20
        let server = try HTTPServer(configuration: .init(responseTimeout: limit)) { _ in
            HTTPResponse(status: .ok, body: [UInt8](repeating: 0x61, count: length))
        }
        let connection = try Loopback(port: server.port)
        try await connection.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        try await Self.waitASecond()
        let answer = try await connection.receive()
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect((answer.utf8.count < length) == (limit != nil))
    }

    /// Neither the time between two requests nor that of the handler belongs to an answer.
    @Test func theTimeOfAnAnswerEndsWithIt() async throws {
        let server = try HTTPServer(configuration: .init(responseTimeout: .milliseconds(500))) { request in
            if request.rawTarget == "/slow" { try? await Self.waitASecond() }
            return HTTPResponse(status: .ok, body: Array("done".utf8))
        }
        let connection = try Loopback(port: server.port)
        try await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await connection.receive(until: "done").hasPrefix("HTTP/1.1 200 "))
        try await Self.waitASecond()
        try await connection.send("GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try await connection.receive().hasSuffix("done"))
    }
}
