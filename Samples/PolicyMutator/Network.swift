import EmbeddedAttestation
import Locking
import Protection

/// A token fetcher around another, whose network the sample can take away.
final class Network: TokenFetcher {
    let base: EmbeddedTokenFetcher
    private let isOffline = Mutex(false)

    init(base: EmbeddedTokenFetcher) {
        self.base = base
    }

    var deviceID: String? { base.deviceID }

    func setOffline(_ isOffline: Bool) {
        self.isOffline.withLock { $0 = isOffline }
    }

    func initialize(with configuration: ProtectionConfiguration) throws {
        try base.initialize(with: configuration)
    }

    func fetchToken(_ request: TokenRequest) async -> FetchResult {
        guard !isOffline.withLock(\.self) else { return FetchResult(status: .noNetwork) }
        return await base.fetchToken(request)
    }

    func fetchSecureString(_ key: String, newDefinition: String?) async -> FetchResult {
        await base.fetchSecureString(key, newDefinition: newDefinition)
    }
}
