public import HTTPMessages

/// What answers the requests that a server receives.
///
/// A handler runs in a task of its own for each request, so requests are answered side by side. The task is cancelled
/// when the server stops; a client that goes away does not cancel it.
public protocol HTTPHandler: Sendable {
    /// Answers one request.
    ///
    /// - Returns: The response; one that HTTP cannot carry is replaced by a 500 and reported to
    ///   ``HTTPServer/Configuration/onError``.
    func respond(to request: ServedRequest) async -> HTTPResponse
}

/// A handler made of a closure.
struct ClosureHandler: HTTPHandler {
    let closure: @Sendable (ServedRequest) async -> HTTPResponse

    func respond(to request: ServedRequest) async -> HTTPResponse { await closure(request) }
}
