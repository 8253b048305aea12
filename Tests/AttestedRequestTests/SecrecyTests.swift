import HTTPMessages
import Testing

@testable import AppAttestationClient
@testable import AttestationAuthority
@testable import Cryptography
@testable import HTTPServing

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
            AttestationSubmission(sessionID: secret, keyID: secret, attestation: Array(secret.utf8)),
            KeyAssertion(keyID: secret, generation: 1, object: Array(secret.utf8)),
            AttestationRecord(keyID: secret, pendingKeyID: secret),
            AttestationState.attested(keyID: secret),
            ServedRequest(
                method: .get,
                rawTarget: "/?token=\(secret)",
                target: try RequestTarget("https://example.com/?token=\(secret)"),
                fields: HTTPFields([try HTTPField(.authorization, secret)]),
                body: Array(secret.utf8),
                remoteAddress: "::1"
            ),
        ]
    }

    @Test(arguments: 0..<10) func noSecretIsShown(index: Int) throws {
        let value = try Self.values()[index]
        var text = "\(value) \(String(reflecting: value))"
        dump(value, to: &text)
        dump([value], to: &text)
        #expect(!text.contains(Self.secret) && !text.contains("\(Array(Self.secret.utf8)[0])"))
        #expect(Mirror(reflecting: value).children.isEmpty)
    }
}
