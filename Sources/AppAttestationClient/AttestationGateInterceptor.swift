public import HTTPMessages

/// Lets no request out before this installation has an attested key.
///
/// Let through are the requests of the attestation itself: a POST to exactly an address that the service's backend names,
/// same origin, same path, no query. Everything else waits, and is never sent when the attestation fails. It stands
/// outside the interceptors that ask for tokens.
public struct AttestationGateInterceptor: HTTPInterceptor {
    private let service: AttestationService
    private let deadline: Duration?

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - service: The service, which the app starts.
    ///   - deadline: How long a request waits; nil for the service's own.
    public init(service: AttestationService, deadline: Duration? = nil) {
        self.service = service
        self.deadline = deadline
    }

    /// Sends the request on once there is an attested key.
    ///
    /// - Throws: As ``AttestationService/attestedKeyID(deadline:)``, and nothing was sent; else what `next` throws.
    public func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        if !service.isEndpoint(request) { _ = try await service.attestedKeyID(deadline: deadline) }
        return try await next(request)
    }
}
