public import HTTPMessages
public import Timing

/// Writes a line for each request and one for how it ended.
///
/// Outermost it shows what the caller asked for and got; innermost, what each attempt and hop sent, the names of the
/// fields that the interceptors before it added included. What is not listed in the options is not shown: no query, no
/// content, and of a field no more than its name.
///
/// ```
/// event=request request=1 method=POST origin=https://api.example.com:443 octets=12 content-type=text/plain hidden=authorization
/// event=response request=1 status=200 milliseconds=31 octets=345 content-type=application/json
/// ```
public struct LoggingInterceptor: HTTPInterceptor {
    private let options: LoggingOptions
    private let time: TimeSource
    private let sink: @Sendable (String) -> Void
    private let numbers = RequestNumbers()

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - options: What is shown.
    ///   - time: Where it gets its time.
    ///   - sink: Takes a line, without its end, on the request's own task.
    public init(
        options: LoggingOptions = LoggingOptions(),
        time: TimeSource = .system,
        sink: @escaping @Sendable (String) -> Void
    ) {
        self.options = options
        self.time = time
        self.sink = sink
    }

    /// Sends the request on, as it is.
    ///
    /// - Throws: What `next` throws.
    public func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let id = numbers.next()
        let start = time.uptime()
        sink(line(for: request, id: id))
        do {
            let response = try await next(request)
            var line = LogLine("response", id: id)
            line.add("status", response.status.description)
            line.add("milliseconds", milliseconds(since: start))
            if response.stream == nil { line.add("octets", String(response.body.count)) }
            line.add(response.fields, options)
            sink(line.text)
            return response
        } catch {
            var line = LogLine("failure", id: id)
            line.add("milliseconds", milliseconds(since: start))
            line.add("error", options.errorText(error))
            sink(line.text)
            throw error
        }
    }

    private func line(for request: HTTPRequest, id: Int) -> String {
        var line = LogLine("request", id: id)
        line.add("method", request.method.rawValue)
        line.add("origin", request.target.origin)
        if let path = options.path.text(request.target.path) { line.add("path", path) }
        if let count = request.body?.count { line.add("octets", String(count)) }
        line.add(request.fields, options)
        return line.text
    }

    private func milliseconds(since start: Duration) -> String {
        String(Int64((time.uptime() - start) / .milliseconds(1)))
    }
}
