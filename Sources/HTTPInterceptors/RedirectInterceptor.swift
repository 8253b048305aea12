public import HTTPMessages
public import Timing

/// Follows redirects, one hop at a time through the rest of the chain.
///
/// It stands outside retries, credentials and protection, so that each hop is a request of its own: policy, tokens, pins
/// and signatures are decided for the host that it goes to. Credentials that the caller set are dropped when a hop
/// leaves the origin, and do not come back when a later hop returns to it; so is an exemption from pins. Pins of the
/// request hold for each host that they are enforced for, whatever the hops before. A `timeout` of the request is that of
/// all hops together. Of 301, 302, 303, 307 and 308, the method and the content are treated as RFC 9110, section 15.4, says;
/// other responses are returned.
public struct RedirectInterceptor: HTTPInterceptor {
    private let policy: RedirectPolicy
    private let rules: RedirectRules
    private let time: TimeSource

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - policy: Which redirects are followed, and what goes along.
    ///   - sensitiveFields: Names of more fields that do not leave the origin, asked for at each hop that leaves it. One that
    ///     stands around a `ProtectionService` needs its `fieldsOfOneOrigin`.
    ///   - time: What the ends of pins are compared with, and what the time of a request is measured by.
    public init(
        policy: RedirectPolicy = .follow,
        sensitiveFields: @escaping @Sendable () -> [HTTPField.Name] = { [] },
        time: TimeSource = .system
    ) {
        self.policy = policy
        self.time = time
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
        let (pins, timeout, start) = (request.options.pins, request.options.timeout, time.uptime())
        var request = request
        var hops = 0
        while true {
            var response = try await next(request)
            // A session within may have followed others, and knows better.
            if hops > 0, response.target == nil { response.target = request.target }
            guard let shouldFollow = policy.shouldFollow, RedirectRules.isRedirect(response.status) else {
                return response
            }
            var following = try rules.request(following: request, redirectedBy: response, pins: pins)
            // What is left of it; at the end the transport is to say that the time is over, and not that it is none.
            following.options.timeout = timeout.map { max(.milliseconds(1), $0 - (time.uptime() - start)) }
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
