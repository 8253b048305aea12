import Cryptography
import HTTPMessages
import JSONWebTokens
import Protection
import ProtectionTesting

/// Configurations and services as the tests of this target need them.
enum TestConfiguration {
    static func make(
        account: String = "account-1",
        hosts: [String] = ["example.com"]
    ) throws -> ProtectionConfiguration {
        let pin = try PublicKeyPin(sha256: [UInt8](repeating: 7, count: 32))
        return try ProtectionConfiguration(
            authority: RequestTarget("https://authority.example/v1"),
            account: account,
            protectedHosts: hosts.map { try HostPattern($0) },
            pins: PinningPolicy([HostPattern("example.com"): PinSet([pin])]),
            authorityKey: JSONWebKey(PrivateKey.generate(.p256).publicKey, keyID: "k1")
        )
    }

    /// A service that is enabled, on clocks that stand still, without the first fetch in the background.
    static func service(
        _ fetcher: any TokenFetcher,
        time: ManualTime = ManualTime(),
        hosts: [String] = ["example.com"],
        prefetches: Bool = false
    ) throws -> ProtectionService {
        let service = ProtectionService(
            options: .init(time: time.source, prefetches: prefetches, random: { 0.5 })
        )
        service.setLoggingLevel(.off)
        try service.initialize(config: try make(hosts: hosts).encoded(), fetcher: fetcher)
        return service
    }
}
