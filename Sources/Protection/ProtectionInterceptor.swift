public import HTTPMessages

/// Protects each request that passes: the link between ``ProtectionService`` and any session.
///
/// It stands innermost, next to the transport: what an interceptor inside it changes is neither bound nor signed, and
/// what a retry outside it repeats is protected afresh.
public struct ProtectionInterceptor: HTTPInterceptor {
    private let service: ProtectionService

    /// Makes the link.
    ///
    /// - Parameter service: The service that protects.
    public init(service: ProtectionService = .shared) {
        self.service = service
    }

    /// Sends the protected request on.
    ///
    /// - Throws: As ``ProtectionService/protect(_:sessionFields:)``, before anything is sent, or what `next` throws.
    public func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await next(try await service.protect(request))
    }
}
