import Cryptography
import HTTPMessages
import JSONWebTokens
import Protection

/// A configuration line for the hosts of the tests.
enum TestConfiguration {
    static func line() throws -> String {
        let key = try JSONWebKey(try PrivateKey.generate(.p256).publicKey, keyID: "1")
        return try ProtectionConfiguration(
            authority: RequestTarget("https://authority.example"),
            account: "tests",
            protectedHosts: [HostPattern("localhost")],
            authorityKey: key
        ).encoded()
    }
}
