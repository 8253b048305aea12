/// A session that sends each request through interceptors before another session.
public struct InterceptedSession: HTTPSession {
    private let interceptors: [any HTTPInterceptor]
    private let base: any HTTPSession

    /// Puts interceptors in front of a session, the first outermost.
    public init(_ base: any HTTPSession, interceptors: [any HTTPInterceptor]) {
        self.base = base
        self.interceptors = interceptors
    }

    /// Sends a request through the interceptors, then through the session below.
    public func data(for request: HTTPRequest) async throws -> HTTPResponse {
        // What watches sees one exchange, however often the interceptors send it.
        request.options.progress?.begin()
        defer { request.options.progress?.end() }
        return try await send(request, from: 0)
    }

    private func send(_ request: HTTPRequest, from index: Int) async throws -> HTTPResponse {
        guard index < interceptors.count else { return try await base.data(for: request) }
        return try await interceptors[index].intercept(request) { request in
            try await send(request, from: index + 1)
        }
    }
}
