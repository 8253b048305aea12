import HTTPMessages
import Protection

/// A policy by host: which hosts are protected, which of them may go without a token when there is no network, which are
/// not pinned; fields that every protected request carries; and a log of rejections.
///
/// A signing mutator stands around it, so what it adds is signed too.
struct HostPolicy: ServiceMutator {
    let protectedHosts: Set = ["api.localhost", "status.localhost"]
    let offlineHosts: Set = ["status.localhost"]
    let unpinnedHosts: Set = ["metrics.localhost"]
    let log: RejectionLog

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
        if result.status == .rejected { log.note(url.host, "by the authority", result.arc) }
        return try await DefaultServiceMutator().interceptorFetchTokenResult(result, for: url)
    }

    func processedRequest(_ request: HTTPRequest, mutations: RequestMutations) throws -> HTTPRequest {
        var request = request
        try request.fields.set("linux", for: "Client-Platform")
        try request.fields.set("1.0", for: "App-Version")
        return request
    }

    func shouldPin(_ request: HTTPRequest) -> PinningDecision {
        unpinnedHosts.contains(request.target.host) ? .skip : .pin
    }
}

extension HostPolicy {
    /// The policy with signatures around it, which cover its fields.
    func signed(with keys: any SigningKeyHolder) -> MessageSigningMutator {
        var factory = SignatureParametersFactory()
        factory.optionalHeaders += ["Client-Platform", "App-Version"]
        return MessageSigningMutator(keys: keys, wrapping: self, factory: factory)
    }
}
