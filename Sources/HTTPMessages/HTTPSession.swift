/// Something that sends a request and returns the response.
///
/// What is built on HTTP takes any session, so a real transport, an intercepted one and a test's own are
/// interchangeable. A response of any status is returned; only an exchange that failed throws.
public protocol HTTPSession: Sendable {
    /// Sends a request and waits for the whole response.
    ///
    /// - Throws: The transport's error when there is no complete response; `CancellationError` when the task was
    ///   cancelled.
    func data(for request: HTTPRequest) async throws -> HTTPResponse
}

extension HTTPSession {
    /// Sends a GET request to a URL and waits for the whole response.
    ///
    /// - Throws: ``HTTPMessageError`` for a URL that cannot be sent, else as ``data(for:)``.
    public func data(from url: String) async throws -> HTTPResponse {
        try await data(for: try HTTPRequest(url: url))
    }

    /// Sends a request with this content in place of its own and waits for the whole response.
    ///
    /// - Throws: As ``data(for:)``.
    public func upload(for request: HTTPRequest, from body: [UInt8]) async throws -> HTTPResponse {
        var request = request
        request.body = HTTPBody(body)
        return try await data(for: request)
    }
}
