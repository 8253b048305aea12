public import HTTPMessages
public import Timing

/// Follows redirects, one hop at a time through the rest of the chain.
///
/// It stands outside retries, credentials and protection, so that each hop is a request of its own: policy, tokens, pins
/// and signatures are decided for the host that it goes to. Credentials that the caller set are dropped when a hop
/// leaves the origin, and do not come back when a later hop returns to it; so are an exemption from pins, and pins of the
/// request that are not enforced for the next host. Of 301, 302, 303, 307 and 308, the method and the content are treated
/// as RFC 9110, section 15.4, says; other responses are returned.
public struct RedirectInterceptor: HTTPInterceptor {
    private let policy: RedirectPolicy
    private let rules: RedirectRules

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - policy: Which redirects are followed, and what goes along.
    ///   - sensitiveFields: Names of more fields that do not leave the origin, asked for at each hop that leaves it. One that
    ///     stands around a `ProtectionService` needs its `fieldsOfOneOrigin`.
    ///   - time: What the ends of pins are compared with.
    public init(
        policy: RedirectPolicy = .follow,
        sensitiveFields: @escaping @Sendable () -> [HTTPField.Name] = { [] },
        time: TimeSource = .system
    ) {
        self.policy = policy
        rules = RedirectRules(
            allowsInsecure: policy.allowsInsecure,
            sensitiveFields: { [names = policy.sensitiveFields] in names + sensitiveFields() },
            now: { time.secondsSince1970 }
        )
    }

    /// Sends the request on, and the requests that redirects ask for.
    ///
    /// - Returns: The last response, with its target when a redirect was followed.
    /// - Throws: ``RedirectError`` when a redirect cannot or may not be followed; else what `next` throws.
    public func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        var request = request
        var hops = 0
        while true {
            var response = try await next(request)
            // A session within may have followed others, and knows better.
            if hops > 0, response.target == nil { response.target = request.target }
            guard let shouldFollow = policy.shouldFollow, RedirectRules.isRedirect(response.status) else {
                return response
            }
            let following = try rules.request(following: request, redirectedBy: response)
            guard shouldFollow(request, following) else { return response }
            guard hops < policy.limit else {
                throw RedirectError(
                    .tooManyRedirects,
                    "more than \(policy.limit) redirects",
                    status: response.status,
                    host: request.target.host
                )
            }
            hops += 1
            request = following
            ExchangeCounts.current?.add(.redirect)
        }
    }
}
