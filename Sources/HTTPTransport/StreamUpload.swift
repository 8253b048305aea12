import CCurl
import HTTPMessages
import Locking

/// A sequence as the content of a request: a task reads it and waits while enough is there to be sent.
final class StreamUpload: UploadSource {
    private struct State {
        var pieces: [UInt8] = []
        var position = 0
        var sent = 0
        var isPaused = false
        var hasEnded = false
        var isClosed = false
        var failure: (any Error)?
        var waiter: CheckedContinuation<Void, any Error>?
        var task: Task<Void, Never>?
    }

    private static let limit = 256 << 10

    let count: Int?
    private let stream: HTTPBodyStream
    private let state = Mutex(State())

    init(_ stream: HTTPBodyStream) {
        self.stream = stream
        count = stream.count
    }

    func start(resume: @escaping @Sendable () -> Void) {
        let task = Task {
            do {
                try await stream.read { [self] piece in try await take(piece, resume) }
                end(nil, resume)
            } catch {
                end(error, resume)
            }
        }
        let isClosed = state.withLock { state in
            state.task = task
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    private func take(_ piece: [UInt8], _ resume: () -> Void) async throws {
        let (wakes, isFull) = state.withLock { state in
            // What was sent goes, in portions that are worth moving the rest.
            if state.position >= Self.limit {
                state.pieces.removeFirst(state.position)
                state.position = 0
            }
            state.pieces += piece
            defer { state.isPaused = false }
            return (state.isPaused, state.pieces.count - state.position >= Self.limit)
        }
        if wakes { resume() }
        guard isFull else { return try Task.checkCancellation() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isReady = state.withLock { state in
                    guard !state.isClosed, !Task.isCancelled else { return nil as Bool? }
                    guard state.pieces.count - state.position >= Self.limit else { return true }
                    state.waiter = continuation
                    return false
                }
                switch isReady {
                case nil: continuation.resume(throwing: CancellationError())
                case true?: continuation.resume()
                case false?: break
                }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }?.resume(throwing: CancellationError())
        }
    }

    private func end(_ error: (any Error)?, _ resume: () -> Void) {
        let wakes = state.withLock { state in
            state.hasEnded = true
            if state.failure == nil { state.failure = error }
            defer { state.isPaused = false }
            return state.isPaused
        }
        if wakes { resume() }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (result, waiter) = state.withLock { state in unsafe read(&state, into: buffer) }
        waiter?.resume()
        return result
    }

    private func read(
        _ state: inout State,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> (Int, CheckedContinuation<Void, any Error>?) {
        guard state.failure == nil else { return (Int(CURL_READFUNC_ABORT), nil) }
        let waiting = state.pieces.count - state.position
        if waiting == 0 {
            guard state.hasEnded else {
                state.isPaused = true
                return (Int(CURL_READFUNC_PAUSE), nil)
            }
            guard count.map({ $0 == state.sent }) ?? true else {
                state.failure = TransportError(.unreadableContent, "the content is shorter than it was told")
                return (Int(CURL_READFUNC_ABORT), nil)
            }
            return (0, nil)
        }
        let number = min(waiting, buffer.count)
        if let count, state.sent + waiting > count {
            state.failure = TransportError(.unreadableContent, "the content is longer than it was told")
            return (Int(CURL_READFUNC_ABORT), nil)
        }
        unsafe state.pieces.withUnsafeBytes { pieces in
            unsafe buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: pieces[state.position..<state.position + number])
            )
        }
        state.position += number
        state.sent += number
        if state.position == state.pieces.count {
            state.pieces.removeAll(keepingCapacity: true)
            state.position = 0
        }
        guard state.pieces.count - state.position < Self.limit else { return (number, nil) }
        defer { state.waiter = nil }
        return (number, state.waiter)
    }

    func rewind() -> Bool {
        state.withLock { $0.sent == 0 }
    }

    var failure: (any Error)? { state.withLock { $0.failure } }

    func close() {
        let (task, waiter) = state.withLock { state in
            state.isClosed = true
            defer { state.waiter = nil }
            return (state.task, state.waiter)
        }
        task?.cancel()
        waiter?.resume(throwing: CancellationError())
    }
}
