import Cryptography
import HTTPMessages
import JSONWebTokens
import Protection
import ProtectionTesting

/// Shows what the policy makes of requests to four hosts while there is no network.
@main
struct Main {
    static func main() async throws {
        let key = try JSONWebKey(PrivateKey.generate(.p256).publicKey)
        let configuration = try ProtectionConfiguration(
            authority: RequestTarget("https://authority.example"),
            account: "sample",
            protectedHosts: [HostPattern("*.example.com")],
            authorityKey: key
        )
        let service = ProtectionService.shared
        service.setLoggingLevel(.off)
        try service.initialize(
            config: configuration.encoded(),
            fetcher: ScriptedTokenFetcher(tokens: [.status(.noNetwork)])
        )
        service.setServiceMutator(HostPolicy())
        for name in ["api", "status", "metrics", "other"] {
            let update = await service.updateRequest(try HTTPRequest(url: "https://\(name).example.com/"))
            let pinned = update.request.options.isPinned
            print("\(name).example.com: \(update.decision), \(pinned ? "pinned" : "not pinned")")
        }
    }
}
