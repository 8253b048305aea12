import EmbeddedAttestation
import Protection
import Locking

/// Whether the authority can be reached, and what it last gave.
final class Outage: Sendable {
    private struct State {
        var isDown = false
        var lastLoggableToken = "none"
    }

    private let state = Mutex(State())

    var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    var lastLoggableToken: String {
        get { state.withLock { $0.lastLoggableToken } }
        set { state.withLock { $0.lastLoggableToken = newValue } }
    }
}

/// A token fetcher around another, which cannot reach it while there is an outage.
struct OutageFetcher: TokenFetcher {
    let base: EmbeddedTokenFetcher
    let outage: Outage

    func initialize(with configuration: ProtectionConfiguration) throws {
        try base.initialize(with: configuration)
    }

    func fetchToken(_ request: TokenRequest) async -> FetchResult {
        guard !outage.isDown else { return FetchResult(status: .noAttestationService) }
        let result = await base.fetchToken(request)
        if let claims = result.loggableToken { outage.lastLoggableToken = claims }
        return result
    }

    func fetchSecureString(_ key: String, newDefinition: String?) async -> FetchResult {
        await base.fetchSecureString(key, newDefinition: newDefinition)
    }

    var deviceID: String? { base.deviceID }
}
