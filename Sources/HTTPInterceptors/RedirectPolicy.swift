public import HTTPMessages

/// Which redirects ``RedirectInterceptor`` follows, and what goes along; one that it does not follow is returned as the
/// response.
///
/// ```swift
/// var redirects = RedirectPolicy.follow
/// redirects.limit = 2
/// ```
public struct RedirectPolicy: Sendable {
    let shouldFollow: (@Sendable (_ from: HTTPRequest, _ to: HTTPRequest) -> Bool)?
    /// How many are followed for one request, by default 5; one more is an error.
    public var limit = 5
    /// Whether a hop may lead from `https` to `http`; by default not, and that is an error.
    public var allowsInsecure = false
    /// Names of fields that do not leave the origin, beside `Authorization`, `Cookie`, `Proxy-Authorization`, `Signature`,
    /// `Signature-Input`, `Host`, the fields of an AWS signature, and those that whoever takes the policy adds; by default
    /// none.
    public var sensitiveFields: [HTTPField.Name] = []

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
