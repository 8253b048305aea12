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
        var request = try HTTPRequest(url: "http://127.0.0.1:\(server.port)/")
        request.options.maximumResponseSize = total
        let before = Memory.resident()
        let (_, stream) = try await session.bytes(for: request)
        var iterator = stream.makeAsyncIterator()
        var count = try await iterator.next()?.count ?? 0
        // The server has all the time it wants to flood us before each piece is taken.
        while count < total {
            await Task.yield()
            guard let piece = try await iterator.next() else { break }
            #expect(piece.count <= 512 << 10)
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
        request.options.idleTimeout = .milliseconds(50)
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

    // MARK: - Downloads

    /// A server of one file that knows ranges, and cuts its first answers.
    private func fileServer(_ content: [UInt8], tag: String = "\"v1\"") throws -> HTTPServer {
        try HTTPServer { served in
            var fields = HTTPFields()
            try? fields.set(tag, for: "ETag")
            guard let range = served.request.fields["Range"], served.request.fields["If-Range"] == tag,
                let start = Int(range.dropFirst("bytes=".count).dropLast())
            else { return HTTPResponse(status: .ok, fields: fields, body: content) }
            guard start < content.count, let partial = try? HTTPStatus(206) else {
                return HTTPResponse(status: (try? HTTPStatus(416)) ?? .badRequest)
            }
            try? fields.set("bytes \(start)-\(content.count - 1)/\(content.count)", for: "Content-Range")
            return HTTPResponse(status: partial, fields: fields, body: Array(content[start...]))
        }
    }

    private func resume(_ url: String) async throws -> HTTPResponse {
        try await CurlSession().download(for: HTTPRequest(url: url), to: folder["a"], resumes: true)
    }

    @Test(arguments: [true, false]) func aFileIsThereWhenItIsWhole(resumes: Bool) async throws {
        let content = Self.pattern(3 << 20)
        let server = try fileServer(content)
        try folder.write("a", [1])
        let response = try await CurlSession().download(
            for: HTTPRequest(url: server.url),
            to: folder["a"],
            resumes: resumes
        )
        #expect(response.status == .ok && response.body.isEmpty)
        #expect(try folder.bytes("a") == content && folder.names == ["a"])
    }

    @Test(arguments: [true, false]) func whatIsCutLeavesTheOldFile(resumes: Bool) async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 9\r\n\r\nabc")
        try folder.write("a", [1])
        await #expect(throws: TransportError.self) {
            try await CurlSession().download(
                for: HTTPRequest(url: "http://127.0.0.1:\(server.port)/"),
                to: folder["a"],
                resumes: resumes
            )
        }
        #expect(try folder.bytes("a") == [1])
        #expect(folder.names == (resumes ? ["a", "a.part", "a.part.validator"] : ["a"]))
    }

    @Test(arguments: [("\"v1\"", 206), ("\"v2\"", 200), ("W/\"v1\"", 200)])
    func theRestIsAskedFor(tag: String, status: Int) async throws {
        let content = Self.pattern(100_000)
        try folder.write("a.part", Array(content.prefix(40_000)))
        try folder.write("a.part.validator", "\"v1\"")
        let server = try fileServer(content, tag: tag)
        let response = try await resume(server.url)
        #expect(try response.status.code == status && folder.bytes("a") == content && folder.names == ["a"])
    }

    @Test func aPartThatIsTooLongIsStartedAgain() async throws {
        let content = Self.pattern(1000)
        try folder.write("a.part", Self.pattern(2000))
        try folder.write("a.part.validator", "\"v1\"")
        let server = try fileServer(content)
        _ = try await resume(server.url)
        #expect(try folder.bytes("a") == content)
    }

    @Test func anotherRangeIsAnError() async throws {
        try folder.write("a.part", [1, 2])
        try folder.write("a.part.validator", "\"v1\"")
        let server = RawServer(
            "HTTP/1.1 206 Partial\r\nContent-Range: bytes 1-2/3\r\nContent-Length: 2\r\n\r\nab"
        )
        let error = await #expect(throws: TransportError.self) {
            try await CurlSession().download(
                for: HTTPRequest(url: "http://127.0.0.1:\(server.port)/"),
                to: folder["a"],
                resumes: true
            )
        }
        #expect(error?.code == .malformedResponse)
    }

    @Test(arguments: [
        // Not all of the rest; more of it than was told; less; of a whole that nobody knows; nothing was there.
        ("bytes 2-2/4", "c", true), ("bytes 2-3/4", "cde", true), ("bytes 2-3/4", "c", true),
        ("bytes 2-3/*", "cd", true), ("bytes 0-1/2", "ab", false),
    ])
    func aRangeIsTheRestOrAnError(_ range: String, _ content: String, _ isResumed: Bool) async throws {
        if isResumed {
            try folder.write("a.part", "ab")
            try folder.write("a.part.validator", "\"v1\"")
        }
        let head =
            "HTTP/1.1 206 Partial\r\nContent-Range: \(range)\r\nContent-Length: \(content.utf8.count)\r\n\r\n"
        let server = RawServer(head + content)
        let error = await #expect(throws: TransportError.self) {
            try await resume(server.url)
        }
        #expect(error?.code == .malformedResponse && !folder.names.contains("a"))
    }

    /// Whoever else could have made them, or can still change them, does not decide what the file holds.
    @Test(arguments: ["others may write", "two names", "a link"])
    func whatOthersHaveAHandInIsNotTakenUp(_ fault: String) async throws {
        let content = Self.pattern(1000)
        let (part, other) = (folder["a.part"], folder["other"])
        try folder.write(fault == "a link" ? "other" : "a.part", [1, 2, 3])
        try folder.write("a.part.validator", "\"v1\"")
        let status =
            switch fault {
            case "others may write": unsafe chmod(part, 0o666)
            case "two names": unsafe link(part, other)
            default: unsafe symlink(other, part)
            }
        #expect(status == 0)
        let server = try fileServer(content)
        let response = try await resume(server.url)
        #expect(try response.status == .ok && folder.bytes("a") == content)
        if fault != "others may write" { #expect(try folder.bytes("other") == [1, 2, 3]) }
    }

    @Test func aLinkInThePlaceOfTheTagIsNotFollowed() async throws {
        let content = Self.pattern(1000)
        try folder.write("a.part", Array(content.prefix(500)))
        try folder.write("other", "\"v1\"")
        #expect(unsafe symlink(folder["other"], folder["a.part.validator"]) == 0)
        let server = try fileServer(content)
        let response = try await resume(server.url)
        #expect(try response.status == .ok && folder.bytes("a") == content)
        #expect(try folder.bytes("other") == Array("\"v1\"".utf8) && folder.names == ["a", "other"])
    }

    @Test func whatWasSentIsNotKept() async throws {
        let (descriptor, port) = RawServer.listen(backlog: 1)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 7, count: 64 << 10)
        let left = Mutex(2048)
        let blocks = AsyncStream {
            left.withLock { left in
                left -= 1
                return left < 0 ? nil : block
            }
        }
        // In small pieces, so that the sequence is always ahead.
        let reader = Task {
            try await blocking {
                let connection = accept(descriptor, nil, nil)
                defer { close(connection) }
                var (piece, count) = ([UInt8](repeating: 0, count: 4096), 0)
                while count < 2048 * 64 << 10 {
                    let number = unsafe read(connection, &piece, piece.count)
                    guard number > 0 else { return }
                    count += number
                }
                let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
                _ = unsafe write(connection, answer, answer.count)
            }
        }
        let before = Memory.resident()
        let request = try HTTPRequest(method: .post, url: "http://127.0.0.1:\(port)/")
        let body = HTTPBodyStream(blocks, count: 2048 * 64 << 10)
        let response = try await CurlSession().upload(for: request, from: body)
        try await reader.value
        #expect(response.status == .ok)
        #expect(Memory.isSanitized || Memory.resident() - before < 32 << 20)
    }

    @Test func aRefusalIsNoFile() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: .notFound, body: Array("no".utf8)) }
        let response = try await CurlSession().download(for: HTTPRequest(url: server.url), to: folder["a"])
        #expect(response.status == .notFound && response.text == "no" && folder.names.isEmpty)
        for path in ["", "/none/a", "/\0"] {
            let error = await #expect(throws: TransportError.self) {
                try await CurlSession().download(
                    for: HTTPRequest(url: server.url),
                    to: path.isEmpty ? "" : folder.path + path
                )
            }
            #expect(error?.code == .fileFailed)
        }
    }
}

/// The memory of this process.
enum Memory {
    /// A sanitizer keeps what was freed, so that the memory tells nothing.
    static let isSanitized = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    static func resident() -> Int {
        let words = (try? FileContents.text(of: "/proc/self/statm"))?.split(separator: " ") ?? []
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * 4096
    }
}
