import HTTPMessages
import Protection

/// Leaves the health check alone, and lets a request go with the status in the token's place when there is no token.
struct DemoPolicy: ServiceMutator {
    func shouldProcess(_ request: HTTPRequest) -> ProcessingDecision {
        request.target.path == "/health" ? .ignore : .process
    }

    func interceptorFetchTokenResult(
        _ result: FetchResult,
        for url: RequestTarget
    ) async throws -> TokenDecision {
        if result.status == .noAttestationService { return .attachToken }
        return try await DefaultServiceMutator().interceptorFetchTokenResult(result, for: url)
    }
}
