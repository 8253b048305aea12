import HTTPMessages
@testable import HTTPTransport
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
}
