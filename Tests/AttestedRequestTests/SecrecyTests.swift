import AppAttestationClient
import Cryptography
import HTTPServing
import Testing

@testable import AttestationAuthority
@testable import Cryptography

/// What prints or dumps a value that holds a secret sees none of it.
@Suite("Secrets in descriptions") struct SecrecyTests {
    static let secret = "SECRET-0123456789"

    static func values() throws -> [any CustomReflectable & CustomStringConvertible & Sendable] {
        [
            KeyProvider.GeneratedKey(privateKey: try PrivateKey.generate(.p256), pem: secret),
            HTTPServer.TLS(certificateChain: [], privateKey: Array(secret.utf8)),
            TokenGrant(token: secret, endsAt: 0, arc: "arc", traceID: "trace", loggableForm: "{}"),
            AttestationChallenge(sessionID: secret, nonce: secret),
            IssuedChallenge(sessionID: secret, nonce: secret, kind: .apple),
        ]
    }

    @Test(arguments: 0..<5) func noSecretIsShown(index: Int) throws {
        let value = try Self.values()[index]
        var text = "\(value) \(String(reflecting: value))"
        dump(value, to: &text)
        dump([value], to: &text)
        #expect(!text.contains(Self.secret) && !text.contains("\(Array(Self.secret.utf8)[0])"))
        #expect(Mirror(reflecting: value).children.isEmpty)
    }
}
