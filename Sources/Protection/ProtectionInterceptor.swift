public import HTTPMessages

/// Protects each request that passes: the link between ``ProtectionService`` and any session.
///
/// It stands innermost, next to the transport: what an interceptor inside it changes is neither bound nor signed, and
/// what a retry outside it repeats is protected afresh.
public struct ProtectionInterceptor: HTTPInterceptor {
    private let service: ProtectionService
    private let sessionFields: HTTPFields

    /// Makes the link.
    ///
    /// - Parameters:
    ///   - service: The service that protects.
    ///   - sessionFields: Fields that are added to requests that do not have them.
    public init(service: ProtectionService = .shared, sessionFields: HTTPFields = HTTPFields()) {
        self.service = service
        self.sessionFields = sessionFields
    }

    /// Sends the protected request on.
    ///
    /// - Throws: As ``ProtectionService/protect(_:sessionFields:)``, before anything is sent, or what `next` throws.
    public func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await next(try await service.protect(request, sessionFields: sessionFields))
    }
}
