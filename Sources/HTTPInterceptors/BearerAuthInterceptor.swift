public import HTTPMessages

/// Adds `Authorization: Bearer` to the requests of listed hosts.
///
/// It stands inside ``RedirectInterceptor`` and ``RetryInterceptor``, so that each hop and each attempt asks for the
/// token that is good then and for that host, and outside the protection, so that the token is bound and signed. A
/// request that has an `Authorization` keeps it, and one that goes over plain `http` to another machine gets none.
public struct BearerAuthInterceptor: HTTPInterceptor {
    private let scope: BearerScope
    private let token: @Sendable () async throws -> String?

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - hosts: The hosts that may see the token.
    ///   - token: Gives the token; nil sends the request without one.
    public init(hosts: [HostPattern], token: @escaping @Sendable () async throws -> String?) {
        scope = BearerScope(hosts: hosts)
        self.token = token
    }

    /// Sends the request on with the token.
    ///
    /// - Throws: What the closure throws; ``InterceptorError`` with code `invalidCredential` when it gives something
    ///   else than a bearer token; else what `next` throws.
    public func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard scope.covers(request) else { return try await next(request) }
        return try await next(try scope.adding(try await token(), to: request))
    }
}
