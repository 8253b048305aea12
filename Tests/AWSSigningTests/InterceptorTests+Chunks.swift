import AWSSigning
import FoundationEssentials
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import TestSupport
import Testing

/// Content that goes out in signed chunks.
extension InterceptorTests {
    @Test func chunksAreMadeOfTheBody() async throws {
        let session = TestSession { _, _ in HTTPResponse(status: .ok) }
        let body = String(repeating: "a", count: 20_000)
        let request = try HTTPRequest(
            .put,
            "https://b.example.com/k",
            [("Content-Length", "20000")],
            body: body
        )
        let signing = try InterceptedSession(
            session,
            interceptors: [interceptor(content: .chunks(size: 8_192))]
        )
        _ = try await signing.data(for: request)
        let sent = session.requests[0]
        let wire = try #require(sent.body?.bytes)
        #expect(sent[.contentLength] == String(wire.count))
        #expect(sent["x-amz-content-sha256"] == "STREAMING-AWS4-HMAC-SHA256-PAYLOAD")
        #expect(wire.starts(with: "2000;chunk-signature=".utf8))
        #expect(
            String(decoding: wire, as: UTF8.self).components(separatedBy: "chunk-signature=").count == 5
        )
        _ = try await signing.data(for: HTTPRequest(.get, "https://b.example.com/k"))
        #expect(session.requests[1]["x-amz-content-sha256"]?.hasPrefix("e3b0c442") == true)
    }

    private static func pieces(_ content: [UInt8], of size: Int, count: Int?) -> HTTPBody {
        let (stream, producer) = AsyncStream.makeStream(of: [UInt8].self)
        for start in stride(from: 0, to: content.count, by: size) {
            producer.yield(Array(content[start..<min(start + size, content.count)]))
        }
        producer.finish()
        return HTTPBody(HTTPBodyStream(stream, count: count))
    }

    /// The octets on the wire are those of the same content in memory, whose signature a server computes alike.
    @Test(arguments: [0, 1, 8_191, 8_192, 8_193, 100_000])
    func chunksOfFilesAndStreamsOverTheWire(length: Int) async throws {
        let received = Mutex<[HTTPRequest]>([])
        let server = try HTTPServer { served in
            received.withLock { $0.append(served.request) }
            return HTTPResponse(status: .ok)
        }
        defer { server.stop() }
        let signing = try InterceptedSession(
            CurlSession(),
            interceptors: [interceptor(content: .chunks(size: 8_192))]
        )
        let content = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let folder = try TemporaryFolder()
        let path = try folder.write("content", content)
        let bodies =
            [HTTPBody(content), HTTPBody(file: path)]
            + [1_000, 8_192, 50_000].map { Self.pieces(content, of: $0, count: length) }
        for body in bodies {
            let request = try HTTPRequest(method: .put, url: server.url + "/k", body: body)
            #expect(try await signing.data(for: request).status == .ok)
        }
        let all = received.withLock { $0 }
        #expect(all.count == 5)
        for request in all.dropFirst() {
            #expect(request.body == all[0].body)
            for name in ["Authorization", "Content-Length", "x-amz-decoded-content-length"]
                as [HTTPField.Name]
            {
                #expect(request[name] == all[0][name], "\(name)")
            }
        }
        #expect(all[0]["x-amz-decoded-content-length"] == (length == 0 ? nil : String(length)))
    }

    @Test func whatCannotGoOutInChunksIsNotSent() async throws {
        let session = TestSession { request, _ in
            guard case .stream(let stream) = request.body?.content else { return HTTPResponse(status: .ok) }
            _ = try await stream.collect(upTo: 100_000)
            return HTTPResponse(status: .ok)
        }
        let signing = try InterceptedSession(
            session,
            interceptors: [interceptor(content: .chunks(size: 8_192))]
        )
        let folder = try TemporaryFolder()
        for (body, code) in [
            (Self.pieces([1, 2], of: 1, count: nil), AWSSigningError.Code.unsupportedPayload),
            (HTTPBody(file: folder.path + "/absent"), .unsupportedPayload),
            (HTTPBody(file: folder.path), .unsupportedPayload),
            (HTTPBody(file: "/dev/null\u{0}"), .unsupportedPayload),
            // Found out while it is sent.
            (Self.pieces([1, 2], of: 1, count: 3), .chunkMismatch),
            (Self.pieces([1, 2], of: 1, count: 1), .chunkMismatch),
        ] {
            let request = try HTTPRequest(method: .put, url: "https://b.example.com/k", body: body)
            let error = await #expect(throws: AWSSigningError.self) { try await signing.data(for: request) }
            #expect(error?.code == code)
        }
        #expect(session.requests.count == 2)
    }

    /// A file can be read again, so a refusal for the time is answered with a new signature.
    @Test func aFileInChunksIsSentAgain() async throws {
        let sent = Mutex<[[UInt8]?]>([])
        let session = TestSession { request, count in
            guard case .stream(let stream) = request.body?.content else { return HTTPResponse(status: .ok) }
            let octets = try await stream.collect(upTo: 100_000)
            sent.withLock { $0.append(octets) }
            return count == 1 ? try Self.refusal() : HTTPResponse(status: .ok)
        }
        let signing = try InterceptedSession(
            session,
            interceptors: [interceptor(content: .chunks(size: 8_192))]
        )
        let folder = try TemporaryFolder()
        let path = try folder.write("content", [UInt8](repeating: 7, count: 10_000))
        let request = try HTTPRequest(
            method: .put,
            url: "https://b.example.com/k",
            body: HTTPBody(file: path)
        )
        #expect(try await signing.data(for: request).status == .ok)
        let octets = sent.withLock { $0 }
        #expect(octets.count == 2 && octets[0] != nil && octets[0] != octets[1])
        #expect(octets[0]?.count == octets[1]?.count)
    }

    @Test(arguments: [8_191, 0, -1]) func chunksThatAreTooSmall(size: Int) throws {
        let error = #expect(throws: AWSSigningError.self) { try interceptor(content: .chunks(size: size)) }
        #expect(error?.code == .unsupportedPayload)
    }

    @Test func chunksForR2() throws {
        let error = #expect(throws: AWSSigningError.self) {
            try interceptor(.r2, content: .chunks(size: 8_192))
        }
        #expect(error?.code == .unsupportedPayload)
    }
}
