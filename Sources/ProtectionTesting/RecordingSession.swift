public import HTTPMessages
import Locking

/// A session that keeps each request and answers it without a network.
public final class RecordingSession: HTTPSession {
    private let answer: @Sendable (HTTPRequest) throws -> HTTPResponse
    private let state = Mutex<[HTTPRequest]>([])

    /// Makes a session; by default it answers 200 without content.
    public init(
        answering answer: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse = { _ in
            HTTPResponse(status: .ok)
        }
    ) {
        self.answer = answer
    }

    /// The requests that came through, in order.
    public var requests: [HTTPRequest] { state.withLock { $0 } }

    /// Keeps the request and answers it.
    public func data(for request: HTTPRequest) async throws -> HTTPResponse {
        state.withLock { $0.append(request) }
        return try answer(request)
    }
}
