import Glibc
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import TestSupport
import Testing

@Suite("Streaming", .timeLimit(.minutes(1))) struct StreamingTests {
    struct Broken: Error {}

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func pattern(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    }

    private func echo() throws -> HTTPServer {
        try HTTPServer(configuration: .init(maximumBodySize: 64 << 20)) { served in
            var fields = HTTPFields()
            if let length = served.request.fields["Content-Length"] {
                try? fields.set(length, for: "X-Length")
            }
            if let coding = served.request.fields["Transfer-Encoding"] {
                try? fields.set(coding, for: "X-Coding")
            }
            return HTTPResponse(status: .ok, fields: fields, body: served.request.body?.bytes ?? [])
        }
    }

    private func sequence(
        _ pieces: [[UInt8]],
        then error: (any Error)? = nil
    ) -> AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish(throwing: error)
        }
    }

    @Test(arguments: [0, 1, 100_000, 5 << 20]) func contentComesPieceByPiece(count: Int) async throws {
        let content = Self.pattern(count)
        let server = try HTTPServer { _ in HTTPResponse(status: .ok, body: content) }
        let session = try CurlSession()
        let (response, stream) = try await session.bytes(for: HTTPRequest(url: server.url))
        #expect(response.status == .ok && response.body.isEmpty)
        #expect(response.fields["Content-Length"] == "\(count)")
        var received: [UInt8] = []
        for try await piece in stream {
            #expect(!piece.isEmpty)
            received += piece
        }
        #expect(received == content)
    }

    @Test func aSlowReaderSlowsTheServerDown() async throws {
        let total = 64 << 20
        let server = RawServer("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n", filler: total)
        let session = try CurlSession()
        let request = try HTTPRequest(url: "http://127.0.0.1:\(server.port)/")
        let before = Memory.resident()
        let (_, stream) = try await session.bytes(for: request)
        var iterator = stream.makeAsyncIterator()
        var count = try await iterator.next()?.count ?? 0
        // The server has all the time it wants to flood us before each piece is taken.
        while count < total {
            await Task.yield()
            guard let piece = try await iterator.next() else { break }
            #expect(piece.count <= 576 << 10)
            count += piece.count
        }
        #expect(count == total)
        #expect(Memory.isSanitized || Memory.resident() - before < 32 << 20)
    }

    @Test func lettingGoGivesTheExchangeUp() async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabc", end: .keep)
        let session = try CurlSession()
        do {
            let (response, stream) = try await session.bytes(
                for: HTTPRequest(url: "http://127.0.0.1:\(server.port)/")
            )
            var iterator = stream.makeAsyncIterator()
            #expect(response.status == .ok)
            #expect(try await iterator.next() == Array("abc".utf8))
        }
        try await server.waitForDisconnection()
    }

    @Test func aStreamOutlivesItsSession() async throws {
        let content = Self.pattern(3 << 20)
        let server = try HTTPServer { _ in HTTPResponse(status: .ok, body: content) }
        let stream = try await CurlSession().bytes(for: HTTPRequest(url: server.url)).content
        #expect(try await stream.collect(upTo: 4 << 20) == content)
        let limited = try await CurlSession().bytes(for: HTTPRequest(url: server.url)).content
        #expect(try await limited.collect(upTo: 1 << 20) == nil)
    }

    @Test func aClosedSessionEndsItsStreams() async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", end: .keep)
        let session = try CurlSession()
        let stream = try await session.bytes(for: HTTPRequest(url: "http://127.0.0.1:\(server.port)/"))
            .content
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == Array("abc".utf8))
        session.close()
        let error = await #expect(throws: TransportError.self) { try await iterator.next() }
        #expect(error?.code == .sessionClosed)
    }

    @Test func contentThatIsCutIsAnErrorAtItsEnd() async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
        let session = try CurlSession()
        let stream = try await session.bytes(for: HTTPRequest(url: "http://127.0.0.1:\(server.port)/"))
            .content
        var iterator = stream.makeAsyncIterator()
        var received: [UInt8] = []
        let error = await #expect(throws: TransportError.self) {
            while let piece = try await iterator.next() { received += piece }
        }
        #expect(error?.code == .connectionClosed && received == Array("abc".utf8))
    }

    @Test func silenceEndsAStream() async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", end: .keep)
        let session = try CurlSession()
        var request = try HTTPRequest(url: "http://127.0.0.1:\(server.port)/")
        request.options.idleTimeout = .milliseconds(500)
        let stream = try await session.bytes(for: request).content
        let error = await #expect(throws: TransportError.self) { try await stream.collect(upTo: 100) }
        #expect(error?.code == .timedOut && error?.phase == .receiving)
    }

    @Test func aCancelledReaderLeavesAtOnce() async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", end: .keep)
        let session = try CurlSession()
        let stream = try await session.bytes(for: HTTPRequest(url: "http://127.0.0.1:\(server.port)/"))
            .content
        let task = Task { try await stream.collect(upTo: 100) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.waitForDisconnection()
    }

    @Test func trailersComeAfterTheContent() async throws {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n"
        let server = RawServer(text)
        let session = try CurlSession()
        let (_, stream) = try await session.bytes(for: HTTPRequest(url: "http://127.0.0.1:\(server.port)/"))
        #expect(try await stream.collect(upTo: 9) == Array("abc".utf8))
        #expect(stream.trailers["X-Sum"] == "6")
        let whole = try await session.data(from: server.url + "/")
        #expect(whole.trailers["X-Sum"] == "6" && !whole.fields.contains("X-Sum"))
    }

    @Test(arguments: [nil, 300_000] as [Int?]) func contentIsMadeWhileItIsSent(count: Int?) async throws {
        let server = try echo()
        let session = try CurlSession()
        let pieces = (0..<300).map {
            Self.pattern(1000).map { [number = $0] byte in byte &+ UInt8(number % 7) }
        }
        let body = HTTPBodyStream(sequence(pieces), count: count)
        for method in [HTTPMethod.post, .put] {
            let stream = HTTPBodyStream(sequence(pieces), count: count)
            let response = try await session.upload(
                for: HTTPRequest(method: method, url: server.url),
                from: stream
            )
            #expect(response.body == pieces.flatMap(\.self))
            #expect(response.fields["X-Length"] == count.map(String.init))
            #expect(response.fields["X-Coding"] == (count == nil ? "chunked" : nil))
        }
        #expect(body.count == count)
    }

    @Test func aSequenceThatFailsFailsTheRequest() async throws {
        let server = try echo()
        let session = try CurlSession()
        let body = HTTPBodyStream(sequence([[1, 2]], then: Broken()))
        await #expect(throws: Broken.self) {
            try await session.upload(for: HTTPRequest(method: .post, url: server.url), from: body)
        }
    }

    @Test(arguments: [1, 3]) func aWrongCountFailsTheRequest(count: Int) async throws {
        let server = try echo()
        let session = try CurlSession()
        let body = HTTPBodyStream(sequence([[1, 2]]), count: count)
        let error = await #expect(throws: TransportError.self) {
            try await session.upload(for: HTTPRequest(method: .post, url: server.url), from: body)
        }
        #expect(error?.code == .unreadableContent)
    }

    @Test func aServerThatDoesNotReadMakesTheSequenceWait() async throws {
        let server = RawServer("", end: .keep, reads: false)
        let session = try CurlSession()
        let made = Mutex(0)
        let pieces = AsyncStream<[UInt8]>(unfolding: {
            made.withLock { $0 += 1 }
            return [UInt8](repeating: 7, count: 64 << 10)
        })
        var request = try HTTPRequest(method: .post, url: "http://127.0.0.1:\(server.port)/")
        request.options.timeout = .milliseconds(400)
        request.body = HTTPBody(HTTPBodyStream(pieces))
        let error = await #expect(throws: TransportError.self) { try await session.data(for: request) }
        #expect(error?.code == .timedOut)
        // The kernel's buffers and ours, and not all that could be made in the time.
        #expect(made.withLock { $0 } < 512)
    }

    @Test func aFileIsSent() async throws {
        let server = try echo()
        let session = try CurlSession()
        let content = Self.pattern(3 << 20)
        try folder.write("content", content)
        let request = try HTTPRequest(method: .put, url: server.url)
        let response = try await session.upload(for: request, fromFile: folder["content"])
        #expect(response.body == content && response.fields["X-Length"] == "\(content.count)")
        for path in ["/none", "", "/\0"] {
            let error = await #expect(throws: TransportError.self) {
                try await session.upload(for: request, fromFile: folder.path + path)
            }
            #expect(error?.code == .unreadableContent)
        }
    }

    @Test func progressIsTold() async throws {
        let content = Self.pattern(2 << 20)
        let server = try echo()
        let progress = HTTPProgress()
        var request = try HTTPRequest(method: .post, url: server.url, body: HTTPBody(content))
        request.options.progress = progress
        async let response = CurlSession().data(for: request)
        var last = HTTPProgress.State(sent: 0, received: 0, expected: nil)
        for await state in progress.states {
            #expect(state.sent >= last.sent && state.received >= last.received)
            last = state
        }
        #expect(try await response.body.count == content.count)
        #expect(
            last.sent == content.count && last.received == content.count && last.expected == content.count
        )
    }

    @Test func aRequestThatIsRefusedBeforeItIsSentEndsTheStates() async throws {
        let progress = HTTPProgress()
        var request = try HTTPRequest(url: "http://127.0.0.1:9/")
        request.options.progress = progress
        try request.fields.append("close", for: "Connection")
        let refused = request
        let error = await #expect(throws: TransportError.self) { try await CurlSession().data(for: refused) }
        #expect(error?.code == .reservedField)
        for await _ in progress.states {}
    }

    private struct Twice: HTTPInterceptor {
        func intercept(
            _ request: HTTPRequest,
            next: @Sendable (HTTPRequest) async throws -> HTTPResponse
        ) async throws -> HTTPResponse {
            _ = try await next(request)
            var again = request
            again.target = try RequestTarget(request.target.absoluteString + "again")
            return try await next(again)
        }
    }

    /// The states end with the last of what is sent, not with the first.
    @Test func whatIsSentAgainIsOneExchangeForAWatcher() async throws {
        let content = Self.pattern(100_000)
        let server = try HTTPServer { served in
            HTTPResponse(status: .ok, body: served.target.path == "/again" ? content : [])
        }
        let session = try InterceptedSession(CurlSession(), interceptors: [Twice()])
        let progress = HTTPProgress()
        var request = try HTTPRequest(url: server.url + "/")
        request.options.progress = progress
        let sent = request
        async let response = session.data(for: sent)
        var last: HTTPProgress.State?
        for await state in progress.states { last = state }
        #expect(try await response.status == .ok)
        #expect(last?.received == content.count && last?.expected == content.count)
    }

    /// There is always something to read, so only the reader's own look finds that nobody wants it.
    @Test func aCancelledReaderOfAFastServerStops() async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\n\r\n", filler: 1 << 30)
        let session = try CurlSession()
        let reader = Task {
            let (_, stream) = try await session.bytes(for: HTTPRequest(url: server.url + "/"))
            var count = 0
            for try await piece in stream {
                count += piece.count
                if count > 1 << 20 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            }
            return count
        }
        await #expect(throws: CancellationError.self) { try await reader.value }
    }

    @Test func metricsAreTold() async throws {
        let server = try echo()
        let session = try CurlSession()
        let first = try #require(try await session.data(from: server.url).metrics)
        #expect(
            !first.isConnectionReused && first.protocolName == "HTTP/1.1" && first.total >= first.firstByte
        )
        #expect(first.connect > .zero && first.secured == .zero)
        let request = try HTTPRequest(method: .post, url: server.url, body: HTTPBody("four"))
        let second = try #require(try await session.data(for: request).metrics)
        #expect(second.isConnectionReused && second.sentBytes == 4 && second.receivedBytes == 4)
    }

    /// libcurl's own time of the first octet is that of the request's, when there is content to send.
    @Test(arguments: [HTTPBody("four"), HTTPBody(Array(repeating: 7, count: 3 << 20))])
    func theFirstOctetIsThatOfTheResponse(body: HTTPBody) async throws {
        let thought = Duration.milliseconds(30)
        let server = try HTTPServer(configuration: .init(maximumBodySize: 8 << 20)) { _ in
            let begin = ContinuousClock.now
            while begin.duration(to: .now) < thought { await Task.yield() }
            return HTTPResponse(status: .ok)
        }
        let request = try HTTPRequest(method: .post, url: server.url, body: body)
        let metrics = try #require(try await CurlSession().data(for: request).metrics)
        #expect(metrics.firstByte >= thought && metrics.firstByte <= metrics.total)
    }
}
