import HTTPMessages
import Protection
import ProtectionTesting

/// A policy by host: which hosts are protected, which may go without a token when there is no network, which are not
/// pinned; and a field that every protected request carries.
struct HostPolicy: ServiceMutator {
    let protectedHosts: Set = ["api.example.com", "status.example.com"]
    let offlineHosts: Set = ["status.example.com"]
    let unpinnedHosts: Set = ["metrics.example.com"]

    func shouldProcess(_ request: HTTPRequest) async throws -> ProcessingDecision {
        guard protectedHosts.contains(request.target.host) else { return .ignore }
        return try await DefaultServiceMutator().shouldProcess(request)
    }

    func interceptorFetchTokenResult(
        _ result: FetchResult,
        for url: RequestTarget
    ) async throws -> TokenDecision {
        if [.noNetwork, .poorNetwork].contains(result.status), offlineHosts.contains(url.host) {
            return .proceedWithoutToken
        }
        return try await DefaultServiceMutator().interceptorFetchTokenResult(result, for: url)
    }

    func processedRequest(_ request: HTTPRequest, mutations: RequestMutations) throws -> HTTPRequest {
        var request = request
        try request.fields.set("linux", for: "Client-Platform")
        return request
    }

    func shouldPin(_ request: HTTPRequest) -> PinningDecision {
        unpinnedHosts.contains(request.target.host) ? .skip : .pin
    }
}
