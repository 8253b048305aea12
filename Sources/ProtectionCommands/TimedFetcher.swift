import Protection

/// Measures what another fetcher does.
struct TimedFetcher: TokenFetcher {
    let base: any TokenFetcher
    let times: StepTimes

    var hasOwnCache: Bool { base.hasOwnCache }
    var deviceID: String? { base.deviceID }

    func initialize(with configuration: ProtectionConfiguration) throws {
        try base.initialize(with: configuration)
    }

    func fetchToken(_ request: TokenRequest) async -> FetchResult {
        await times.measure("token fetch") { await base.fetchToken(request) }
    }

    func fetchSecureString(_ key: String, newDefinition: String?) async -> FetchResult {
        await times.measure("substitution") {
            await base.fetchSecureString(key, newDefinition: newDefinition)
        }
    }

    func fetchCustomJWT(payload: String) async -> FetchResult { await base.fetchCustomJWT(payload: payload) }
    func refreshConfiguration() async { await base.refreshConfiguration() }
    func setDevelopmentKey(_ key: String?) { base.setDevelopmentKey(key) }
}
