import HTTPMessages
import Protection

/// Logs each request that the authority or the backend rejects, with what a support team looks it up by: the ARC of the
/// attestation and the identifier of the device.
struct RejectionLog: HTTPInterceptor {
    let service: ProtectionService
    let write: @Sendable (String) -> Void

    func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let host = request.target.host
        do {
            let response = try await next(request)
            // The last ARC is that of this request unless it went without a token, which the policy lets to one host.
            if response.status == .unauthorized || response.status == .forbidden {
                log(host, "by the backend with \(response.status)", service.lastARC)
            }
            return response
        } catch let error as ProtectionError where error.code == .rejection {
            log(host, "by the authority", error.arc)
            throw error
        }
    }

    private func log(_ host: String, _ how: String, _ arc: String?) {
        write("\(host): rejected \(how), ARC \(arc ?? "none"), device \(service.deviceID ?? "unknown")")
    }
}
