/// A step between the caller and the transport: it sees each request on its way out and each response on its way in.
///
/// Interceptors stand in an array, the first outermost: it sees the caller's request first and the final response
/// last. One may change the request, answer without calling `next`, or call `next` several times (a retry), if the body
/// can be sent again (``HTTPBody/isReplayable``). An error that it throws stops the request and reaches the caller unwrapped.
public protocol HTTPInterceptor: Sendable {
    /// Handles one request.
    ///
    /// - Parameters:
    ///   - request: The request as the interceptors outside this one left it.
    ///   - next: Sends a request through the rest of the chain and returns its response.
    /// - Returns: The response for the interceptors outside this one.
    /// - Throws: Whatever stops the request; it is not wrapped on its way to the caller.
    func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse
}
