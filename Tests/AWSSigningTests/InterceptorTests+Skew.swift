import AWSSigning
import HTTPMessages
import Locking
import Testing

/// Refusals whose reason is not in the body: it comes as a stream, or not at all.
extension InterceptorTests {
    /// Content in pieces, with trailers at its end.
    private final class Pieces: HTTPByteStream.Source {
        private let left: Mutex<[[UInt8]]>

        init(_ pieces: [[UInt8]]) { left = Mutex(pieces) }

        func next() async throws -> [UInt8]? { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

        var trailers: HTTPFields {
            left.withLock {
                $0.isEmpty ? HTTPFields([try? HTTPField("X-End", "1")].compactMap { $0 }) : .init()
            }
        }
    }

    private static func streamed(_ body: String) throws -> HTTPResponse {
        var response = try refusal("")
        let octets = Array(body.utf8)
        let pieces = stride(from: 0, to: octets.count, by: 7).map {
            Array(octets[$0..<min($0 + 7, octets.count)])
        }
        response.stream = HTTPByteStream(Pieces(pieces))
        return response
    }

    @Test func aRefusalThatComesAsAStreamIsRead() async throws {
        let session = TestSession { _, _ in try Self.streamed(Self.skewed) }
        let signing = try InterceptedSession(session, interceptors: [interceptor()])
        let response = try await signing.data(from: "https://b.example.com/")
        #expect(session.requests.map { $0["X-Amz-Date"] } == ["20130524T000000Z", "20130524T010000Z"])
        #expect(try await response.stream?.collect(upTo: 1_000) == Array(Self.skewed.utf8))
    }

    @Test(arguments: [
        "<Error><Code>AccessDenied</Code></Error>", "",
        skewed + String(repeating: " ", count: 70_000),
    ])
    func whatWasReadOfAStreamIsGivenAgain(body: String) async throws {
        let session = TestSession { _, _ in try Self.streamed(body) }
        let signing = try InterceptedSession(session, interceptors: [interceptor()])
        let stream = try #require(try await signing.data(from: "https://b.example.com/").stream)
        #expect(session.requests.count == 1)
        #expect(try await stream.collect(upTo: 100_000) == Array(body.utf8))
        #expect(stream.trailers.contains("X-End"))
    }

    /// A refusal of HEAD has no content that could say why.
    @Test(arguments: [HTTPStatus.ok, .notFound, .forbidden])
    func theDateOfARefusedHeadIsTried(second: HTTPStatus) async throws {
        let session = TestSession { request, _ in
            guard request["X-Amz-Date"] == "20130524T010000Z" else { return try Self.refusal("") }
            return try Self.refusal("", status: second)
        }
        let signing = try InterceptedSession(session, interceptors: [interceptor()])
        let head = try HTTPRequest(.head, "https://b.example.com/k")
        #expect(try await signing.data(for: head).status == second)
        #expect(session.requests.map { $0["X-Amz-Date"] } == ["20130524T000000Z", "20130524T010000Z"])
        // It is kept when the service took it.
        _ = try await signing.data(from: "https://b.example.com/k")
        let next = second == .forbidden ? "20130524T000000Z" : "20130524T010000Z"
        #expect(session.requests.count == 3 && session.requests.last?["X-Amz-Date"] == next)
    }

    @Test(arguments: ["Thu, 23 May 2013 23:57:00 GMT", "Sun, 26 May 2013 00:00:00 GMT"])
    func aHeadIsRefusedForAnotherReason(date: String) async throws {
        let session = TestSession { _, _ in try Self.refusal("", date: date) }
        let signing = try InterceptedSession(session, interceptors: [interceptor()])
        _ = try await signing.data(for: HTTPRequest(.head, "https://b.example.com/k"))
        #expect(session.requests.count == 1)
    }
}
