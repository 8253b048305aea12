import Glibc
import HTTPMessages
import HTTPServing
import Locking
import Testing

@Suite("Server limits and end", .timeLimit(.minutes(1))) struct HTTPServerLimitTests {
    private static let small = HTTPServer.Configuration(maximumBodySize: 10)

    @Test(arguments: [(0, 200), (10, 200), (11, 413), (1 << 30, 413)])
    func theContentHasALimit(length: Int, status: Int) async throws {
        let server = try HTTPServer(configuration: Self.small, handler: Describer())
        let body = length > 100 ? "" : String(repeating: "a", count: length)
        let answer = try await Loopback.exchange(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n\(body)",
            port: server.port
        )
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test func aNumberTooLargeIsTooLarge() async throws {
        let server = try HTTPServer(handler: Describer())
        let length = "99999999999999999999999999"
        let answer = try await Loopback.exchange(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n",
            port: server.port
        )
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"))
    }

    @Test(arguments: [(5, 2, "200"), (5, 3, "413"), (100, 100, "413")])
    func aChunkedContentHasTheSameLimit(size: Int, chunks: Int, status: String) async throws {
        let server = try HTTPServer(configuration: Self.small, handler: Describer())
        let chunk = "\(String(size, radix: 16))\r\n\(String(repeating: "a", count: size))\r\n"
        let answer = try await Loopback.exchange(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + String(repeating: chunk, count: chunks) + "0\r\n\r\n",
            port: server.port
        )
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test func anEndlessContentIsCutOff() async throws {
        let server = try HTTPServer(configuration: Self.small, handler: Describer())
        let connection = try Loopback(port: server.port)
        try await connection.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = "1000\r\n\(String(repeating: "a", count: 4096))\r\n"
        await #expect(throws: Loopback.Failure.self) {
            for _ in 0..<100_000 { try await connection.send(chunk) }
        }
    }

    @Test func trailerFieldsAreNotFields() async throws {
        let server = try HTTPServer(handler: Describer())
        let answer = try await Loopback.exchange(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "1\r\na\r\n0\r\nX-Trailer: b\r\n\r\n",
            port: server.port
        )
        #expect(answer.hasSuffix("body 1") && !answer.contains("X-Trailer"))
    }

    @Test func stopEndsASlowHandler() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Bool.self)
        let server = try HTTPServer { _ in
            start.yield()
            try? await Task.sleep(for: .seconds(3600))
            end.yield(Task.isCancelled)
            return HTTPResponse(status: .ok)
        }
        let connection = try Loopback(port: server.port)
        try await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        for await _ in started { break }
        server.stop()
        let answer = try await connection.receive()
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 503 "))
        for await wasCancelled in ended {
            #expect(wasCancelled)
            break
        }
    }

    @Test func whatAHandlerDoesWhenItIsCancelledMayStopTheServer() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let stopped = Mutex<HTTPServer?>(nil)
        let server = try HTTPServer { _ in
            start.yield()
            try? await withTaskCancellationHandler {
                try await Task.sleep(for: .seconds(3600))
            } onCancel: {
                stopped.withLock { $0 }?.stop()
            }
            return HTTPResponse(status: .ok)
        }
        stopped.withLock { $0 = server }
        defer { stopped.withLock { $0 = nil } }
        let connection = try Loopback(port: server.port)
        try await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        for await _ in started { break }
        server.stop()
        let answer = try await connection.receive()
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 503 "))
    }

    @Test func stopIsDoneOnceAndFreesThePort() async throws {
        let first = try HTTPServer(handler: Describer())
        first.stop()
        first.stop()
        #expect(throws: Loopback.Failure.self) { try Loopback(port: first.port) }
        let second = try HTTPServer(configuration: .init(port: first.port), handler: Describer())
        #expect(second.port == first.port)
    }

    @Test func stoppingUnderLoadLosesNothing() async throws {
        for _ in 0..<20 {
            let server = try HTTPServer(configuration: .init(threadCount: 2)) { _ in
                await Task.yield()
                return HTTPResponse(status: .ok)
            }
            let connections = try (0..<20).map { _ in try Loopback(port: server.port) }
            for connection in connections {
                try await connection.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            }
            await withTaskGroup { group in
                for _ in 0..<3 { group.addTask { server.stop() } }
            }
            for connection in connections {
                let answer = try await connection.receive()
                #expect(
                    answer.isEmpty || answer.hasPrefix("HTTP/1.1 200 ") || answer.hasPrefix("HTTP/1.1 503 ")
                )
            }
        }
    }

    @Test func aHandlerMayStopItsServer() async throws {
        let (streams, stream) = AsyncStream.makeStream(of: HTTPServer.self)
        let server = try HTTPServer { _ in
            for await server in streams {
                server.stop()
                break
            }
            return HTTPResponse(status: .ok)
        }
        stream.yield(server)
        let answer = try await Loopback.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n", port: server.port)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 503 "))
    }

    @Test(arguments: [
        "", "GET", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
    ])
    func aClientThatGoesAwayHarmsNobody(sent: String) async throws {
        let server = try HTTPServer { _ in
            HTTPResponse(status: .ok, body: [UInt8](repeating: 0, count: 1 << 22))
        }
        for _ in 0..<10 {
            let connection = try Loopback(port: server.port)
            try await connection.send(sent)
            connection.reset()
        }
        let answer = try await Loopback.exchange(
            "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            port: server.port
        )
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }

    @Test func aSilentConnectionIsClosed() async throws {
        let server = try HTTPServer(configuration: .init(idleTimeout: .seconds(1)), handler: Describer())
        #expect(try await Loopback(port: server.port).receive().isEmpty)
    }

    /// A client that sends an octet now and then is never silent, and would hold its connection for ever.
    @Test(arguments: [
        ("", "G"), ("GET / HTTP/1.1\r\nHost: a\r\nX: ", "a"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n", "a"),
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "G"),
    ])
    func aRequestMustComeInTime(start: String, drop: String) async throws {
        let server = try HTTPServer(
            configuration: .init(requestTimeout: .seconds(1)),
            handler: Describer()
        )
        let connection = try Loopback(port: server.port)
        try await connection.send(start)
        if start.hasSuffix("\r\n\r\n"), start.hasPrefix("GET") {
            #expect(try await connection.receive(until: "body 0").hasPrefix("HTTP/1.1 200 "))
        }
        let pace = try HTTPServer(handler: Describer())
        let dripping = Task {
            // Until the other side is gone; an exchange with another server stands between two octets.
            while (try? await connection.send(drop)) != nil {
                _ = try await Loopback.exchange(
                    "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                    port: pace.port
                )
            }
        }
        #expect(try await connection.receive().isEmpty)
        dripping.cancel()
        _ = await dripping.result
    }

    /// The time of a request begins with it, however long its connection was kept before.
    @Test func aRequestHasItsWholeTime() async throws {
        let server = try HTTPServer(
            configuration: .init(requestTimeout: .seconds(2)),
            handler: Describer()
        )
        // A server that ends a silent connection sooner tells the time.
        let clock = try HTTPServer(
            configuration: .init(requestTimeout: .milliseconds(1_200)),
            handler: Describer()
        )
        let connection = try Loopback(port: server.port)
        #expect(try await Loopback(port: clock.port).receive().isEmpty)
        try await connection.send(
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\na"
        )
        #expect(try await Loopback(port: clock.port).receive().isEmpty)
        try await connection.send("b")
        #expect(try await connection.receive().hasPrefix("HTTP/1.1 200 "))
    }

    /// A handler that takes its time is no request that comes slowly.
    @Test func theTimeOfTheHandlerDoesNotCount() async throws {
        let limit = Duration.milliseconds(500)
        let server = try HTTPServer(configuration: .init(requestTimeout: limit)) { _ in
            let end = ContinuousClock.now + limit * 2
            while ContinuousClock.now < end { await Task.yield() }
            return HTTPResponse(status: .ok, body: Array("done".utf8))
        }
        let answer = try await Loopback.exchange(
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            port: server.port
        )
        #expect(answer.hasSuffix("done"))
    }

    @Test(arguments: [1, 2]) func oneAddressHasALimit(limit: Int) async throws {
        let server = try HTTPServer(
            configuration: .init(maximumConnectionsPerAddress: limit),
            handler: Describer()
        )
        let first = try Loopback(port: server.port)
        try await first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await first.receive(until: "body 0").hasPrefix("HTTP/1.1 200 "))
        let second = try Loopback(port: server.port)
        try? await second.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let answer = (try? await second.receive()) ?? ""
        #expect(answer.hasPrefix("HTTP/1.1 200 ") == (limit == 2))
    }

    @Test func connectionsHaveALimit() async throws {
        let server = try HTTPServer(configuration: .init(maximumConnections: 1), handler: Describer())
        let first = try Loopback(port: server.port)
        try await first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await first.receive(until: "body 0").hasPrefix("HTTP/1.1 200 "))
        let second = try Loopback(port: server.port)
        try? await second.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        // It waits in the queue of the system until the first has gone.
        try await Self.waitASecond()
        #expect(second.pendingCount == 0)
        first.reset()
        let answer = try await second.receive()
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }

    @Test func anIPv6AddressIsServed() async throws {
        let server = try HTTPServer(configuration: .init(address: "::1"), handler: Describer())
        #expect(server.url == "http://[::1]:\(server.port)")
        #expect(
            try await output(of: "curl -gs --max-time 20 --noproxy '*' '\(server.url)/'").contains(
                "\(server.url)/\n::1\n"
            )
        )
    }
}
