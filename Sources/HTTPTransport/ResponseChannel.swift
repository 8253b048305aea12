import HTTPMessages
import Locking

/// The content of a streamed response on its way from the loop's thread to whoever reads it.
///
/// It holds at most ``limit`` octets and the piece that passed it: libcurl is then told to pause, keeps what it has read and
/// decoded already, and goes on with that when the reader has taken what there is.
final class ResponseChannel: Sendable {
    /// What is known once the content has come to its end.
    struct End: Sendable {
        let trailers: HTTPFields
        let metrics: HTTPTransferMetrics?
    }

    private struct State {
        var content: [UInt8] = []
        /// How much the reader got the last time, and so may get the next time.
        var lastCount = 0
        var isPaused = false
        var end: Result<End, any Error>?
        var waiter: CheckedContinuation<[UInt8]?, any Error>?

        mutating func take() -> [UInt8] {
            lastCount = content.count
            defer { content = [] }
            return content
        }
    }

    static let limit = 512 << 10
    /// How much wakes the reader at once; less waits until libcurl has given what there is, because to wake a reader costs
    /// more than to copy.
    private static let portion = 256 << 10

    private let state = Mutex(State())

    /// Takes a piece, unless enough is waiting.
    ///
    /// - Returns: Whether the piece was taken.
    func push(_ piece: UnsafeRawBufferPointer) -> Bool {
        let count: Int? = state.withLock { state in
            guard state.content.count < Self.limit else {
                state.isPaused = true
                return nil
            }
            // Grown piece by piece, it would be copied again and again.
            if state.content.isEmpty { state.content.reserveCapacity(max(state.lastCount, piece.count)) }
            unsafe state.content.append(contentsOf: piece)
            return state.content.count
        }
        guard let count else { return false }
        if count >= Self.portion { flush() }
        return true
    }

    /// Gives a reader who waits what there is.
    func flush() {
        typealias Delivery = (waiter: CheckedContinuation<[UInt8]?, any Error>, content: [UInt8])
        let delivery: Delivery? = state.withLock { state in
            guard !state.content.isEmpty, let waiter = state.waiter else { return nil }
            defer { state.waiter = nil }
            return (waiter, state.take())
        }
        if let delivery { delivery.waiter.resume(returning: delivery.content) }
    }

    /// Ends the content, well or not; only the first end counts.
    func finish(_ end: Result<End, any Error>) {
        flush()
        let waiter: CheckedContinuation<[UInt8]?, any Error>? = state.withLock { state in
            guard state.end == nil else { return nil }
            state.end = end
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: end.map { _ in nil })
    }

    /// What came after the content; nil before its end.
    var end: End? { state.withLock { try? $0.end?.get() } }

    /// Whether the transfer stands still until the reader has taken what there is.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    /// The next octets.
    ///
    /// - Parameter resume: Called when the transfer stands still and may go on.
    /// - Returns: The octets; nil at the end.
    /// - Throws: What ended the content before its end.
    func next(resume: () -> Void) async throws -> [UInt8]? {
        let (ready, resumes): (Result<[UInt8]?, any Error>?, Bool) = state.withLock { state in
            defer { state.isPaused = false }
            if !state.content.isEmpty { return (.success(state.take()), state.isPaused) }
            guard let end = state.end else { return (nil, state.isPaused) }
            return (end.map { _ in nil }, false)
        }
        if resumes { resume() }
        if let ready { return try ready.get() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0) }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

    private func wait(_ continuation: CheckedContinuation<[UInt8]?, any Error>) {
        let ready: Result<[UInt8]?, any Error>? = state.withLock { state in
            if !state.content.isEmpty { return .success(state.take()) }
            if let end = state.end { return end.map { _ in nil } }
            guard state.waiter == nil else {
                return .failure(TransportError(.unsupported, "two tasks read one stream"))
            }
            state.waiter = continuation
            return nil
        }
        if let ready { continuation.resume(with: ready) }
    }
}
