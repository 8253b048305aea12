import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

@Suite("Slow readers of streams", .timeLimit(.minutes(2))) struct SlowReaderTests {
    /// A response whose content is larger than what waits for a reader.
    enum Answer: CaseIterable {
        case chunked, gzip, zstd

        /// How much content there is once it is decoded.
        var count: Int { self == .chunked ? 600_000 : 8 << 20 }

        func text(count: Int, trailers: String = "") async throws -> String {
            let octets =
                switch self {
                case .chunked: [UInt8](repeating: 0, count: count)
                case .gzip: try await SlowReaderTests.gzip(zeros: count)
                case .zstd: SlowReaderTests.zstd(zeros: count)
                }
            let coding = self == .chunked ? "" : "Content-Encoding: \(self)\r\n"
            return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\(coding)\r\n"
                + String(octets.count, radix: 16) + "\r\n" + octets.latin1 + "\r\n0\r\n\(trailers)\r\n"
        }
    }

    private static func gzip(zeros count: Int) async throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let made = try await Command.run(
            "sh",
            ["-c", "head -c \(count) /dev/zero | gzip -9 > \(folder.path)/zeros.gz"]
        )
        #expect(made.status == 0)
        return try folder.bytes("zeros.gz")
    }

    /// A frame of blocks that say one octet and how often it stands there (RFC 8878, section 3.1.1.2), 128 KiB each.
    private static func zstd(zeros count: Int) -> [UInt8] {
        let blocks = count >> 17
        return [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38]
            + (1...blocks).flatMap { [$0 == blocks ? 0x03 : 0x02, 0x00, 0x10, 0x00] }
    }

    private func session(limit: Int) throws -> CurlSession {
        var configuration = CurlSession.Configuration()
        configuration.maximumStreamSize = limit
        configuration.decodesContent = true
        return try CurlSession(configuration: configuration)
    }

    /// Lets the session's thread take all that has come, and more rounds than it needs for that.
    private func leaveTime(_ session: CurlSession) async throws {
        let other = RawServer()
        for _ in 0..<20 { _ = try await session.data(from: other.url) }
    }

    @Test(arguments: Answer.allCases) func theLimitIsToldToASlowReader(of answer: Answer) async throws {
        let limit = answer == .chunked ? 570_000 : 1 << 20
        let server = RawServer(try await answer.text(count: answer.count))
        let session = try session(limit: limit)
        let stream = try await session.bytes(for: HTTPRequest(url: server.url)).content
        try await leaveTime(session)
        var count = 0
        let error = await #expect(throws: TransportError.self) {
            for try await piece in stream { count += piece.count }
        }
        #expect(error?.code == .responseTooLarge && count <= limit)
    }

    @Test(arguments: Answer.allCases) func noFileIsMadeOfWhatIsTooLarge(in answer: Answer) async throws {
        let server = RawServer(try await answer.text(count: answer.count))
        let folder = try TemporaryFolder()
        let session = try session(limit: answer == .chunked ? 570_000 : 1 << 20)
        let error = await #expect(throws: TransportError.self) {
            try await session.download(for: HTTPRequest(url: server.url), to: folder.path + "/file")
        }
        #expect(error?.code == .responseTooLarge)
        #expect(folder.names.isEmpty)
    }

    @Test(arguments: Answer.allCases) func trailersReachASlowReader(of answer: Answer) async throws {
        let server = RawServer(
            try await answer.text(count: answer.count, trailers: "X-First: 1\r\nX-Second: 2\r\n")
        )
        let session = try session(limit: answer.count)
        let stream = try await session.bytes(for: HTTPRequest(url: server.url)).content
        try await leaveTime(session)
        #expect(try await stream.collect(upTo: answer.count)?.count == answer.count)
        #expect(stream.trailers["X-First"] == "1" && stream.trailers["X-Second"] == "2")
    }

    @Test func aSlowReaderGetsAllThatManyReadsExpandTo() async throws {
        let count = 300 << 20
        let server = RawServer(try await Answer.gzip.text(count: count))
        let session = try session(limit: count)
        let before = Memory.resident()
        let stream = try await session.bytes(for: HTTPRequest(url: server.url)).content
        try await leaveTime(session)
        #expect(Memory.isSanitized || Memory.resident() - before < 64 << 20)
        var received = 0
        for try await piece in stream { received += piece.count }
        #expect(received == count)
    }

    /// A few kilobytes of it are hundreds of megabytes.
    @Test func whatExpandsBeyondAllMeasureIsRefused() async throws {
        let server = RawServer(try await Answer.zstd.text(count: 300 << 20))
        let session = try session(limit: 1 << 30)
        let before = Memory.resident()
        let stream = try await session.bytes(for: HTTPRequest(url: server.url)).content
        try await leaveTime(session)
        #expect(Memory.isSanitized || Memory.resident() - before < 64 << 20)
        let error = await #expect(throws: TransportError.self) {
            for try await _ in stream {}
        }
        #expect(error?.code == .responseTooLarge && error?.message.contains("expand") == true)
    }

    /// What the other direction does must not let the response in.
    @Test func contentThatIsSentLetsNoResponseIn() async throws {
        let total = 64 << 20
        let server = RawServer(
            "HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n",
            end: .keep,
            filler: total
        )
        let (pieces, continuation) = AsyncStream<[UInt8]>.makeStream()
        let session = try session(limit: total)
        let before = Memory.resident()
        continuation.yield([1])
        let stream = try await session.bytes(
            for: HTTPRequest(method: .post, url: server.url, body: HTTPBody(HTTPBodyStream(pieces)))
        ).content
        for _ in 0..<500 {
            continuation.yield([1])
            await Task.yield()
        }
        try await leaveTime(session)
        #expect(Memory.isSanitized || Memory.resident() - before < 24 << 20)
        continuation.finish()
        var received = 0
        for try await piece in stream { received += piece.count }
        #expect(received == total)
    }
}

extension [UInt8] {
    /// One character for each octet, as ``RawServer`` takes them.
    fileprivate var latin1: String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: lazy.map { Unicode.Scalar($0) })
        return String(text)
    }
}
