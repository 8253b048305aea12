import HTTPMessages
@testable import HTTPTransport
import TestSupport
import Testing

@Suite("Limits of one exchange", .timeLimit(.minutes(1))) struct TransferLimitTests {
    /// The reader says that it goes on before the session's thread has heard of it.
    @Test func aPauseOfTheReaderIsNoSilenceOfTheServer() async throws {
        var request = try HTTPRequest(url: "http://127.0.0.1/")
        request.options.streamsResponse = true
        let transfer = try Transfer(
            request,
            to: try ParsedAuthority(request.target),
            policy: nil,
            configuration: .init(),
            userAgent: nil,
            upload: nil
        )
        let channel = try #require(transfer.channel)
        let context = unsafe Unmanaged.passUnretained(transfer.sink).toOpaque()
        var head = Array("HTTP/1.1 200 OK\r\n\r\n".utf8).map { CChar($0) }
        let headCount = unsafe ResponseSink.headerCallback(&head, 1, head.count, context)
        #expect(headCount == head.count)
        var piece = [CChar](repeating: 0, count: ResponseChannel.limit)
        let first = unsafe ResponseSink.bodyCallback(&piece, 1, piece.count, context)
        let second = unsafe ResponseSink.bodyCallback(&piece, 1, piece.count, context)
        #expect(first == piece.count && second != piece.count)
        unsafe transfer.sink.lastActivity = .now - .seconds(3600)
        #expect(transfer.expiry == nil)
        var isResumed = false
        _ = try await channel.next {
            isResumed = true
            #expect(transfer.expiry == nil)
        }
        #expect(isResumed)
        _ = transfer.resume()
        #expect(try #require(transfer.expiry) > .now)
    }

    @Test(arguments: [
        HTTPRequestOptions(timeout: .zero), .init(timeout: .seconds(-1)), .init(idleTimeout: .zero),
        .init(idleTimeout: .nanoseconds(-1)), .init(idleTimeout: .zero, streamsResponse: true),
    ])
    func aLimitThatIsNoneIsRefused(_ options: HTTPRequestOptions) async throws {
        let server = RawServer()
        let session = try CurlSession()
        var limited = try HTTPRequest(url: server.url)
        limited.options = options
        let request = limited
        let error = try await #require(throws: TransportError.self) { try await session.data(for: request) }
        #expect(error.code == .invalidConfiguration)
        #expect(server.connections == 0)
    }
}
