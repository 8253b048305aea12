import HTTPMessages

/// Puts the pins of an API into every request, in place of what stands there.
///
/// It stands innermost, so that no other interceptor and no mutator can take them out.
struct PinningInterceptor: HTTPInterceptor {
    let pins: PinningPolicy

    func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        var request = request
        request.options.pins = pins
        request.options.isPinned = true
        return try await next(request)
    }
}
