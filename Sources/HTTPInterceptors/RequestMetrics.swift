public import HTTPMessages

/// What one request took, free of secrets: the record that ``MetricsInterceptor`` gives to its sink.
public struct RequestMetrics: Sendable, Hashable {
    /// How a request ended.
    public enum Outcome: Sendable, Hashable {
        /// With a response of this status.
        case response(HTTPStatus)
        /// With an error of this type; `CancellationError` when the task was cancelled.
        case failure(errorType: String)
    }

    /// The method of the request.
    public let method: HTTPMethod
    /// The host that the request was for, before any redirect.
    public let host: String
    /// How it ended.
    public let outcome: Outcome
    /// How long it took, waits between attempts included, by a clock that cannot jump.
    public let duration: Duration
    /// The length of the request's content; nil when it was not in memory and the transport does not tell.
    public let requestOctets: Int?
    /// The length of the content of the response that was returned; nil when there is none, or when it comes as a stream.
    public let responseOctets: Int?
    /// How often ``RetryInterceptor``, further in, sent it again.
    public let retries: Int
    /// How many redirects ``RedirectInterceptor``, further in, followed.
    public let redirects: Int
    /// How often ``TokenRefreshInterceptor``, further in, sent it again.
    public let refreshes: Int

    /// How often this module's interceptors sent it in all; what sends again besides them is not known.
    public var attempts: Int { 1 + retries + redirects + refreshes }
}
