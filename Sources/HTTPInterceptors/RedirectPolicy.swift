public import HTTPMessages

/// Which redirects ``RedirectInterceptor`` follows; one that it does not follow is returned as the response.
public struct RedirectPolicy: Sendable {
    let shouldFollow: (@Sendable (_ from: HTTPRequest, _ to: HTTPRequest) -> Bool)?

    /// Follows every redirect.
    public static let follow = RedirectPolicy { _, _ in true }

    /// Returns every redirect, without a look at where it leads.
    public static let never = RedirectPolicy(shouldFollow: nil)

    /// Follows the redirects that a closure lets through.
    ///
    /// - Parameter shouldFollow: Given the request that was redirected and the one that would follow it, as it would
    ///   be sent on.
    public init(shouldFollow: @escaping @Sendable (_ from: HTTPRequest, _ to: HTTPRequest) -> Bool) {
        self.shouldFollow = shouldFollow
    }

    private init(shouldFollow: (@Sendable (_ from: HTTPRequest, _ to: HTTPRequest) -> Bool)?) {
        self.shouldFollow = shouldFollow
    }
}
