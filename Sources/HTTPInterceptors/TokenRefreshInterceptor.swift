public import HTTPMessages

/// Adds a bearer token and, when the server no longer takes it, has it refreshed and sends the request once more.
///
/// It takes the place of ``BearerAuthInterceptor``, in the same place of the chain: inside redirects and retries, outside
/// the protection. A request that brings an `Authorization` of its own, and one to a host that is not listed, passes by
/// and its 401 is returned. The second response is returned whatever it is, so a server that refuses every token gets
/// two requests and one refresh.
public struct TokenRefreshInterceptor: HTTPInterceptor {
    private let scope: BearerScope
    private let credential: RefreshableCredential

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - hosts: The hosts that may see the token.
    ///   - credential: The token and how it is refreshed.
    public init(hosts: [HostPattern], credential: RefreshableCredential) {
        scope = BearerScope(hosts: hosts)
        self.credential = credential
    }

    /// Sends the request on with the token, and after a 401 with the next one.
    ///
    /// A server that answers 401 has done nothing, so every method is sent again; a body that is not replayable is
    /// not, and the 401 is returned once the token has been refreshed for the next request.
    ///
    /// - Throws: What the refresh throws; ``InterceptorError`` with code `invalidCredential`, `refreshCancelled` or
    ///   `refreshTimedOut`; `CancellationError` when the task is cancelled while it waits; else what `next` throws.
    public func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard scope.covers(request), !credential.isBeingRefreshedHere else { return try await next(request) }
        let sent = credential.snapshot
        let response = try await next(try scope.adding(sent.token, to: request))
        guard response.status == .unauthorized else { return response }
        let refreshed = try await credential.refreshed(after: sent.generation)
        guard let token = refreshed.token, request.body?.isReplayable != false else { return response }
        ExchangeCounts.current?.add(.refresh)
        return try await next(try scope.adding(token, to: request))
    }
}
