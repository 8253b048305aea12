import HTTPMessages
import Locking

/// Somebody in between, who sees what goes out.
final class WireTap: HTTPInterceptor {
    private let requests = Mutex<[HTTPRequest]>([])

    var last: HTTPRequest? { requests.withLock { $0.last } }
    var count: Int { requests.withLock { $0.count } }

    func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        requests.withLock { $0.append(request) }
        return try await next(request)
    }
}
