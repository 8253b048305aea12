import HTTPMessages
import Locking
import Protection
import ProtectionTesting
import TestSupport
import Testing

@Suite("Configuration that has changed") struct ConfigurationRefreshTests {
    /// A fetcher whose account's configuration has always changed, and takes for ever to be read again.
    private final class Fetcher: TokenFetcher {
        let hasOwnCache: Bool
        let refreshes = Mutex(0)

        init(hasOwnCache: Bool) {
            self.hasOwnCache = hasOwnCache
        }

        private func result(_ change: (inout FetchResult) -> Void) -> FetchResult {
            var result = FetchResult(status: .success, isConfigurationChanged: true)
            change(&result)
            return result
        }

        func fetchToken(_ request: TokenRequest) async -> FetchResult { result { $0.token = "token" } }

        func fetchSecureString(_ key: String, newDefinition: String?) async -> FetchResult {
            result { $0.secureString = "secret" }
        }

        func fetchCustomJWT(payload: String) async -> FetchResult { result { $0.token = "jwt" } }

        func refreshConfiguration() async {
            refreshes.withLock { $0 += 1 }
            await withTaskCancellationHandler {
                while !Task.isCancelled { await Task.yield() }
            } onCancel: {
            }
        }
    }

    /// What was fetched is good, and nobody waits for what is read after it; what is under way is not begun again.
    @Test(arguments: [false, true]) func nobodyWaitsForIt(hasOwnCache: Bool) async throws {
        let fetcher = Fetcher(hasOwnCache: hasOwnCache)
        let time = ManualTime()
        let service = try TestConfiguration.service(fetcher, time: time)
        for _ in 0..<3 { #expect(try await service.fetchToken(for: "https://example.com/") == "token") }
        #expect(try await service.fetchSecureString("key") == "secret")
        #expect(try await service.fetchCustomJWT(payload: "{}") == "jwt")
        try await eventually { fetcher.refreshes.withLock { $0 } == 1 }
        time.advance(by: .seconds(31))
        try await eventually {
            _ = try await service.fetchSecureString("key")
            return fetcher.refreshes.withLock { $0 } == 2
        }
        time.advance(by: .seconds(31))
    }
}
