import HTTPMessages
import Locking

/// Answers with a closure, which is given the request and its number from 0, and keeps what it was sent.
final class FakeSession: HTTPSession {
    private let kept = Mutex<[HTTPRequest]>([])
    private let answer: @Sendable (HTTPRequest, Int) async throws -> HTTPResponse

    init(answer: @escaping @Sendable (HTTPRequest, Int) async throws -> HTTPResponse) {
        self.answer = answer
    }

    /// Answers with one status after another, and with the last one from then on.
    convenience init(_ statuses: Int..., fields: HTTPFields = HTTPFields()) {
        self.init { _, number in
            HTTPResponse(status: try HTTPStatus(statuses[min(number, statuses.count - 1)]), fields: fields)
        }
    }

    var requests: [HTTPRequest] { kept.withLock { $0 } }

    func data(for request: HTTPRequest) async throws -> HTTPResponse {
        let number = kept.withLock { kept in
            kept.append(request)
            return kept.count - 1
        }
        return try await answer(request, number)
    }
}
