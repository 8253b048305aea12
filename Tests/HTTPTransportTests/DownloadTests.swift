import Cryptography
import Encodings
import Glibc
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import TestSupport
import Testing

@Suite("Downloads", .timeLimit(.minutes(1))) struct DownloadTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func pattern(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    }

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

    /// Leaves what a download from a URL had got when it was cut, whose content had the tag "v1".
    private func leave(_ part: [UInt8], from url: String, tagFile: String = "a.part.validator") throws {
        try folder.write("a.part", part)
        let hash = try HashAlgorithm.sha256.hash(Array(RequestTarget(url).absoluteString.utf8))
        try folder.write(tagFile, "\(Hex.encode(hash)) \"v1\"")
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
        let server = try fileServer(content, tag: tag)
        try leave(Array(content.prefix(40_000)), from: server.url)
        let response = try await resume(server.url)
        #expect(try response.status.code == status && folder.bytes("a") == content && folder.names == ["a"])
    }

    @Test func aPartThatIsTooLongIsStartedAgain() async throws {
        let content = Self.pattern(1000)
        let server = try fileServer(content)
        try leave(Self.pattern(2000), from: server.url)
        _ = try await resume(server.url)
        #expect(try folder.bytes("a") == content)
    }

    /// In parts, a content could otherwise be of any size.
    @Test func theLimitIsThatOfTheWholeContent() async throws {
        let server = RawServer(
            "HTTP/1.1 206 Partial\r\nETag: \"v1\"\r\nContent-Range: bytes 2-11/12\r\nContent-Length: 10\r\n\r\nabcdefghij"
        )
        try leave([1, 2], from: server.url)
        var request = try HTTPRequest(url: "http://127.0.0.1:\(server.port)/")
        request.options.maximumResponseSize = 11
        let error = await #expect(throws: TransportError.self) {
            try await CurlSession().download(for: request, to: folder["a"], resumes: true)
        }
        #expect(error?.code == .responseTooLarge)
        request.options.maximumResponseSize = 12
        _ = try await CurlSession().download(for: request, to: folder["a"], resumes: true)
        #expect(try folder.bytes("a").count == 12)
    }

    @Test func anotherRangeIsAnError() async throws {
        let server = RawServer(
            "HTTP/1.1 206 Partial\r\nETag: \"v1\"\r\nContent-Range: bytes 1-2/3\r\nContent-Length: 2\r\n\r\nab"
        )
        try leave([1, 2], from: server.url)
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
        let head =
            "HTTP/1.1 206 Partial\r\nETag: \"v1\"\r\nContent-Range: \(range)\r\nContent-Length: \(content.utf8.count)\r\n\r\n"
        let server = RawServer(head + content)
        if isResumed { try leave(Array("ab".utf8), from: server.url) }
        let error = await #expect(throws: TransportError.self) {
            try await resume(server.url)
        }
        #expect(error?.code == .malformedResponse && !folder.names.contains("a"))
    }

    /// Some servers and caches overlook If-Range.
    @Test(arguments: ["\"v2\"", nil]) func aRangeOfOtherContentIsNotTakenUp(tag: String?) async throws {
        let content = Self.pattern(1000)
        let requests = Mutex<[HTTPRequest]>([])
        let server = try HTTPServer { served in
            requests.withLock { $0.append(served.request) }
            var fields = HTTPFields()
            if let tag { try? fields.set(tag, for: "ETag") }
            guard served.request.fields.contains("Range"), let partial = try? HTTPStatus(206) else {
                return HTTPResponse(status: .ok, fields: fields, body: content)
            }
            try? fields.set("bytes 3-999/1000", for: "Content-Range")
            return HTTPResponse(status: partial, fields: fields, body: Array(content[3...]))
        }
        try leave([1, 2, 3], from: server.url)
        #expect(try await resume(server.url).status == .ok)
        #expect(try folder.bytes("a") == content && folder.names == ["a"])
        #expect(requests.withLock { $0.map { $0.fields.contains("Range") } } == [true, false])
    }

    @Test func aWishOfTheCallersOwnIsLeftToItsAnswer() async throws {
        let server = RawServer(
            "HTTP/1.1 206 Partial\r\nETag: \"v1\"\r\nContent-Range: bytes 1-2/3\r\nContent-Length: 2\r\n\r\nbc"
        )
        var request = try HTTPRequest(url: server.url)
        try request.fields.set("bytes=1-", for: "Range")
        try request.fields.set("Sat, 01 Jan 2028 00:00:00 GMT", for: "If-Range")
        let response = try await CurlSession().download(for: request, to: folder["a"], resumes: true)
        #expect(try response.status.code == 206 && folder.text("a") == "bc" && server.received.count == 1)
    }

    /// Two contents can have one tag.
    @Test func whatIsLeftIsOfOneURL() async throws {
        let content = Self.pattern(1000)
        let server = try fileServer(content)
        try leave([1, 2, 3], from: server.url + "/other?secret")
        #expect(try await resume(server.url).status == .ok)
        #expect(try folder.bytes("a") == content)
    }

    @Test func theMetricsAreThoseOfTheWhole() async throws {
        let content = Self.pattern(3 << 20)
        let server = try fileServer(content)
        let session = try CurlSession()
        let response = try await session.download(for: HTTPRequest(url: server.url), to: folder["a"])
        let metrics = try #require(response.metrics)
        #expect(metrics.receivedBytes == content.count && metrics.total > metrics.firstByte)
        let stream = try await session.bytes(for: HTTPRequest(url: server.url)).content
        _ = try await stream.collect(upTo: content.count)
        #expect(stream.metrics?.receivedBytes == content.count)
    }

    @Test func aLongRefusalIsToldByItsStart() async throws {
        let content = Self.pattern(100_000)
        let server = try HTTPServer { _ in HTTPResponse(status: .notFound, body: content) }
        let response = try await CurlSession().download(for: HTTPRequest(url: server.url), to: folder["a"])
        #expect(response.body == Array(content.prefix(64 << 10)) && folder.names.isEmpty)
    }

    /// Two that append to one file would mix their pieces, and the first to end would call it whole.
    @Test func aFileIsWrittenByOneAlone() async throws {
        let server = RawServer("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 6\r\n\r\nabc", end: .keep)
        let folder = folder
        let session = try CurlSession()
        let first = Task {
            try await session.download(
                for: HTTPRequest(url: server.url + "/"),
                to: folder["a"],
                resumes: true
            )
        }
        try await eventually { (try? folder.bytes("a.part")) == Array("abc".utf8) }
        let error = await #expect(throws: TransportError.self) { try await resume(server.url + "/") }
        #expect(error?.code == .fileFailed)
        server.push("def")
        #expect(try await first.value.status == .ok)
        #expect(try folder.bytes("a") == Array("abcdef".utf8) && folder.names == ["a"])
        let next = try fileServer([1])
        _ = try await session.download(for: HTTPRequest(url: next.url), to: folder["a"], resumes: true)
        #expect(try folder.bytes("a") == [1])
    }

    /// Whoever else could have made them, or can still change them, does not decide what the file holds.
    @Test(arguments: ["others may write", "two names", "a link"])
    func whatOthersHaveAHandInIsNotTakenUp(_ fault: String) async throws {
        let content = Self.pattern(1000)
        let (part, other) = (folder["a.part"], folder["other"])
        let server = try fileServer(content)
        try leave([1, 2, 3], from: server.url)
        if fault == "a link" { #expect(unsafe rename(part, other) == 0) }
        let status =
            switch fault {
            case "others may write": unsafe chmod(part, 0o666)
            case "two names": unsafe link(part, other)
            default: unsafe symlink(other, part)
            }
        #expect(status == 0)
        let response = try await resume(server.url)
        #expect(try response.status == .ok && folder.bytes("a") == content)
        if fault != "others may write" { #expect(try folder.bytes("other") == [1, 2, 3]) }
    }

    @Test func aLinkInThePlaceOfTheTagIsNotFollowed() async throws {
        let content = Self.pattern(1000)
        let server = try fileServer(content)
        try leave([1, 2, 3], from: server.url, tagFile: "other")
        let tag = try folder.bytes("other")
        #expect(unsafe symlink(folder["other"], folder["a.part.validator"]) == 0)
        let response = try await resume(server.url)
        #expect(try response.status == .ok && folder.bytes("a") == content)
        #expect(try folder.bytes("other") == tag && folder.names == ["a", "other"])
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

    @Test(arguments: [true, false]) func aRefusalIsNoFile(resumes: Bool) async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: .notFound, body: Array("no".utf8)) }
        let response = try await CurlSession().download(
            for: HTTPRequest(url: server.url),
            to: folder["a"],
            resumes: resumes
        )
        #expect(response.status == .notFound && response.text == "no" && folder.names.isEmpty)
        await #expect(throws: TransportError.self) {
            try await CurlSession().download(
                for: HTTPRequest(url: "http://127.0.0.1:\(Loopback.freePort())/"),
                to: folder["a"],
                resumes: resumes
            )
        }
        #expect(folder.names.isEmpty)
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
