public import HTTPMessages
public import Timing

/// Gives one record of each request to a sink.
///
/// Outermost it measures what the caller sees, with all retries and redirects; innermost it measures each of them. Both
/// may be had at once.
public struct MetricsInterceptor: HTTPInterceptor {
    private let time: TimeSource
    private let sink: @Sendable (RequestMetrics) -> Void

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - time: Where it gets its time.
    ///   - sink: Takes the record, on the request's own task, after it has ended.
    public init(time: TimeSource = .system, sink: @escaping @Sendable (RequestMetrics) -> Void) {
        self.time = time
        self.sink = sink
    }

    /// Sends the request on and records how it ended.
    ///
    /// - Throws: What `next` throws.
    public func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let start = time.uptime()
        let counts = ExchangeCounts()
        let result: Result<HTTPResponse, any Error>
        do {
            result = .success(try await ExchangeCounts.$current.withValue(counts) { try await next(request) })
        } catch {
            result = .failure(error)
        }
        sink(record(of: request, result, counts, duration: time.uptime() - start))
        return try result.get()
    }

    private func record(
        of request: HTTPRequest,
        _ result: Result<HTTPResponse, any Error>,
        _ counts: ExchangeCounts,
        duration: Duration
    ) -> RequestMetrics {
        let outcome: RequestMetrics.Outcome
        var requestOctets = request.body.map(\.count) ?? 0
        var responseOctets: Int?
        switch result {
        case .success(let response):
            outcome = .response(response.status)
            if response.stream == nil { responseOctets = response.body.count }
            // Of a file the transport alone knows the length.
            requestOctets = requestOctets ?? response.metrics?.sentBytes
        case .failure(let error): outcome = .failure(errorType: String(describing: type(of: error)))
        }
        return RequestMetrics(
            method: request.method,
            host: request.target.host,
            outcome: outcome,
            duration: duration,
            requestOctets: requestOctets,
            responseOctets: responseOctets,
            retries: counts[.retry],
            redirects: counts[.redirect],
            refreshes: counts[.refresh]
        )
    }
}
