public import HTTPMessages
public import Timing

/// Holds requests back while there is no network.
///
/// It stands inside ``RetryInterceptor``, so that an attempt that failed because the network went away waits until it
/// is back, and outside credentials and protection, so that no token is fetched before. Requests to this machine need no
/// network and pass.
public struct ConnectivityInterceptor: HTTPInterceptor {
    private let monitor: any ConnectivityMonitor
    private let limit: Duration
    private let time: TimeSource

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - monitor: What knows whether there is a network.
    ///   - limit: How long a request waits for one; zero does not wait.
    ///   - time: Where it gets its time.
    public init(monitor: any ConnectivityMonitor, limit: Duration = .seconds(30), time: TimeSource = .system)
    {
        self.monitor = monitor
        self.limit = limit
        self.time = time
    }

    /// Sends the request on, as soon as there is a network.
    ///
    /// - Throws: ``InterceptorError`` with code `notConnected` when there was none within the limit, and nothing was
    ///   sent; `CancellationError` when the task is cancelled while it waits; else what `next` throws.
    public func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        if !request.target.isLoopback, !monitor.isConnected { try await wait() }
        return try await next(request)
    }

    private func wait() async throws {
        let isConnected =
            limit > .zero
            ? try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await monitor.waitUntilConnected()
                    return true
                }
                group.addTask {
                    try await time.sleep(limit)
                    return false
                }
                defer { group.cancelAll() }
                return try await group.next() == true
            } : false
        guard isConnected else {
            throw InterceptorError(.notConnected, "there was no network within \(limit)")
        }
    }
}
