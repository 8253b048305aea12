import Encodings
import HTTPMessages
import JSONWebTokens
import Protection

/// Logs each request that the authority or the backend rejects, with what a support team looks it up by: the ARC of the
/// attestation and the identifier of the device.
///
/// The policy tells it of the authority's rejections. Those of the backend it sees itself, next to the transport, where a
/// request has the token that it is sent with: a token out of the cache can be older than the service's last ARC.
struct RejectionLog: HTTPInterceptor {
    let service: ProtectionService
    let write: @Sendable (String) -> Void

    func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let response = try await next(request)
        if response.status == .unauthorized || response.status == .forbidden {
            let token = request.fields["Protection-Token"].flatMap { try? UnverifiedToken(parsing: $0) }
            let arc = token?.unverifiedClaims["arc"]?.string
            note(request.target.host, "by the backend with \(response.status)", arc)
        }
        return response
    }

    func note(_ host: String, _ how: String, _ arc: String?) {
        write("\(host): rejected \(how), ARC \(arc ?? "none"), device \(service.deviceID ?? "unknown")")
    }
}
