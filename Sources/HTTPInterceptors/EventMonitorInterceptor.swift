public import HTTPMessages
public import Timing

/// Tells monitors of each request.
///
/// Outermost they see what the caller sees; innermost, each attempt and hop. The order of the monitors is the order in
/// which they are told.
public struct EventMonitorInterceptor: HTTPInterceptor {
    private let monitors: [any HTTPEventMonitor]
    private let time: TimeSource
    private let numbers = RequestNumbers()

    /// Makes the interceptor.
    public init(monitors: [any HTTPEventMonitor], time: TimeSource = .system) {
        self.monitors = monitors
        self.time = time
    }

    /// Sends the request on, as it is.
    ///
    /// - Throws: What `next` throws.
    public func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let id = numbers.next()
        let start = time.uptime()
        for monitor in monitors { monitor.requestStarted(id, request) }
        do {
            let response = try await next(request)
            let duration = time.uptime() - start
            for monitor in monitors { monitor.requestFinished(id, request, response, after: duration) }
            return response
        } catch {
            let duration = time.uptime() - start
            for monitor in monitors {
                if error is CancellationError {
                    monitor.requestCancelled(id, request, after: duration)
                } else {
                    monitor.requestFailed(id, request, error, after: duration)
                }
            }
            throw error
        }
    }
}
