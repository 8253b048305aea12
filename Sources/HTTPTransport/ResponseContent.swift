import HTTPMessages

/// The reader's end of a streamed response; letting go of it gives the exchange up.
final class ResponseContent: HTTPByteStream.Source {
    private let channel: ResponseChannel
    private let transfer: Transfer
    /// Kept, so that a session that was let go ends after its last stream.
    private let session: CurlSession

    init(_ channel: ResponseChannel, of transfer: Transfer, in session: CurlSession) {
        self.channel = channel
        self.transfer = transfer
        self.session = session
    }

    deinit { giveUp() }

    var trailers: HTTPFields { channel.end?.trailers ?? HTTPFields() }
    var metrics: HTTPTransferMetrics? { channel.end?.metrics }

    func next() async throws -> [UInt8]? {
        do {
            // The channel looks only when it has nothing, and a fast server always has something.
            try Task.checkCancellation()
            return try await channel.next { session.resume(transfer) }
        } catch {
            giveUp()
            throw error
        }
    }

    private func giveUp() {
        if !transfer.isFinished { session.cancel(transfer) }
    }
}
