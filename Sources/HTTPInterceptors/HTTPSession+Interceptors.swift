public import HTTPMessages

extension HTTPSession {
    /// Sends one request through interceptors of its own, which stand outside those of the session.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - interceptors: What this request goes through first, the first outermost.
    /// - Returns: The response, as the first interceptor returns it.
    /// - Throws: What an interceptor throws, else as `data(for:)`.
    public func data(
        for request: HTTPRequest,
        interceptors: [any HTTPInterceptor]
    ) async throws -> HTTPResponse {
        try await InterceptedSession(self, interceptors: interceptors).data(for: request)
    }
}
