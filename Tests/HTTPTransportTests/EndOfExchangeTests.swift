import Glibc
import HTTPMessages
import HTTPServing
import HTTPTransport
import TestSupport
import Testing

/// Tells when a request has come, and answers no earlier than its task is cancelled.
struct Silent: HTTPHandler {
    private let arrivals: AsyncStream<Void>
    private let arrive: AsyncStream<Void>.Continuation

    init() {
        (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
    }

    func respond(to request: ServedRequest) async -> HTTPResponse {
        arrive.yield()
        try? await Task.sleep(for: .seconds(3600))
        return HTTPResponse(status: .ok)
    }

    func waitForArrival() async {
        for await _ in arrivals { break }
    }
}

@Suite("End of an exchange", .timeLimit(.minutes(1))) struct EndOfExchangeTests {
    @Test func aTaskThatIsCancelledSendsNothing() async throws {
        let server = RawServer()
        let session = try CurlSession()
        let (gates, gate) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in gates { break }
            return try await session.data(from: server.url)
        }
        task.cancel()
        gate.yield()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.connections == 0)
    }

    @Test func aRequestOnItsWayIsCancelledAtOnce() async throws {
        let handler = Silent()
        let server = try HTTPServer(handler: handler)
        let session = try CurlSession()
        let task = Task { try await session.data(from: server.url) }
        await handler.waitForArrival()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func cancellingAfterTheEndDoesNothing() async throws {
        let server = RawServer()
        let session = try CurlSession()
        let task = Task { try await session.data(from: server.url) }
        let response = try await task.value
        task.cancel()
        #expect(response.text == "ok")
        #expect(try await session.data(from: server.url).text == "ok")
    }

    @Test func everyCallEndsOnceWheneverItIsCancelled() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: .ok) }
        let session = try CurlSession()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let task = Task { try await session.data(from: server.url) }
                    // Somewhere between the call and the response, differently for each.
                    for _ in 0..<(number % 40) { await Task.yield() }
                    task.cancel()
                    switch await task.result {
                    case .success(let response): #expect(response.status == .ok)
                    case .failure(let error): #expect(error is CancellationError)
                    }
                }
            }
        }
        #expect(try await session.data(from: server.url).status == .ok)
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", "x"])
    func whatComesBeforeARequestIsNotItsResponse(_ stray: String) async throws {
        let server = RawServer(end: .keep)
        let session = try CurlSession()
        #expect(try await session.data(from: server.url).text == "ok")
        server.push(stray)
        var request = try HTTPRequest(method: .post, url: server.url)
        request.body = HTTPBody(Array("once".utf8))
        let response = try await session.data(for: request)
        #expect(response.text == "ok" && response.metrics?.isConnectionReused == false)
        #expect(server.connections == 2)
        #expect(server.received.count == 2 && server.received.last?.hasSuffix("once") == true)
    }

    /// The server may have acted on the request all the same (RFC 9110, section 9.2.2).
    @Test(arguments: [
        (HTTPMethod.get, nil, true), (.put, HTTPBody("x"), true), (.post, HTTPBody("x"), false),
        (.put, HTTPBody(Array("x".utf8), isReplayable: false), false), (.patch, nil, false),
    ])
    func aRequestLeavesTwiceOnlyIfItMay(
        _ method: HTTPMethod,
        _ body: HTTPBody?,
        _ mayLeaveTwice: Bool
    ) async throws {
        let server = RawServer(end: .closeAfterNext)
        let session = try CurlSession()
        defer { session.close() }
        #expect(try await session.data(from: server.url).text == "ok")
        let request = try HTTPRequest(method: method, url: server.url, body: body)
        if mayLeaveTwice {
            #expect(try await session.data(for: request).text == "ok")
        } else {
            let error = try await #require(throws: TransportError.self) {
                try await session.data(for: request)
            }
            #expect(error.code == .connectionClosed && error.phase == .waiting && error.isRetryable)
        }
        #expect(server.received.count == (mayLeaveTwice ? 3 : 2))
    }

    @Test func aServerThatDoesNotAnswerIsNotWaitedFor() async throws {
        let server = try HTTPServer(handler: Silent())
        let session = try CurlSession(configuration: .init(timeout: .seconds(2)))
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: server.url)
        }
        #expect(error.code == .timedOut && error.phase == .waiting && error.isRetryable)
        var request = try HTTPRequest(url: server.url)
        request.options.timeout = .milliseconds(10)
        let patient = try CurlSession()
        let second = try await #require(throws: TransportError.self) { try await patient.data(for: request) }
        #expect(second.code == .timedOut)
    }

    @Test func aResponseThatStopsIsNotWaitedFor() async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", end: .keep)
        let session = try CurlSession(configuration: .init(timeout: .seconds(1)))
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: server.url)
        }
        #expect(error.code == .timedOut && error.phase == .receiving)
    }

    @Test func aConnectionThatIsNotTakenIsNotWaitedFor() async throws {
        // A queue of one place that is full: the kernel drops further attempts.
        let (descriptor, port) = RawServer.listen(backlog: 0)
        defer { close(descriptor) }
        let session = try CurlSession(configuration: .init(connectTimeout: .milliseconds(200)))
        var request = try HTTPRequest(url: "http://127.0.0.1:\(port)/")
        request.options.timeout = .seconds(1)
        let tasks = (0..<5).map { [request] _ in Task { try await session.data(for: request) } }
        var errors: [TransportError] = []
        for task in tasks {
            errors.append(try await #require(throws: TransportError.self) { try await task.value })
        }
        let phases = errors.filter { $0.code == .timedOut }.map(\.phase)
        #expect(phases.count == 5 && phases.contains(.connecting))
    }

    @Test func aHandshakeThatIsNotAnsweredIsNotWaitedFor() async throws {
        let server = RawServer("", end: .keep)
        let session = try CurlSession(configuration: .init(connectTimeout: .milliseconds(500)))
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: "https://127.0.0.1:\(server.port)/")
        }
        #expect(error.code == .timedOut && error.phase == .securing)
    }

    @Test func requestsThatWaitForAConnectionHaveTheirTime() async throws {
        let handler = Silent()
        let server = try HTTPServer(handler: handler)
        let session = try CurlSession(configuration: .init(maximumConnectionsPerHost: 1))
        let first = Task { try await session.data(from: server.url) }
        await handler.waitForArrival()
        var request = try HTTPRequest(url: server.url)
        request.options.timeout = .milliseconds(50)
        let second = request
        let error = try await #require(throws: TransportError.self) { try await session.data(for: second) }
        #expect(error.code == .timedOut)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
    }

    @Test func closingEndsEveryRequest() async throws {
        let handler = Silent()
        let server = try HTTPServer(handler: handler)
        let session = try CurlSession(configuration: .init(maximumConnectionsPerHost: 2))
        let tasks = (0..<10).map { _ in Task { try await session.data(from: server.url) } }
        await handler.waitForArrival()
        await withTaskGroup { group in
            for _ in 0..<3 { group.addTask { session.close() } }
        }
        for task in tasks {
            let error = try await #require(throws: TransportError.self) { try await task.value }
            #expect(error.code == .sessionClosed)
        }
        let late = try await #require(throws: TransportError.self) {
            try await session.data(from: server.url)
        }
        #expect(late.code == .sessionClosed)
    }

    @Test func aCallKeepsItsSession() async throws {
        let server = RawServer()
        #expect(try await CurlSession().data(from: server.url).text == "ok")
        let handler = Silent()
        let silent = try HTTPServer(handler: handler)
        let task = Task { try await CurlSession().data(from: silent.url) }
        await handler.waitForArrival()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func sessionsComeAndGo() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: .ok) }
        for _ in 0..<50 {
            let session = try CurlSession()
            let task = Task { try await session.data(from: server.url) }
            session.close()
            switch await task.result {
            case .success(let response): #expect(response.status == .ok)
            case .failure(let error): #expect((error as? TransportError)?.code == .sessionClosed)
            }
        }
    }
}
