import AttestationAuthority
import Cryptography
import EmbeddedAttestation
import HTTPMessages
import HTTPTransport
import JSONWebTokens
import Protection

/// An app whose requests are signed, a backend that verifies them, and somebody in between who changes them.
///
/// The program ends with 0 only when the backend took what was right and refused all else.
@main
struct MessageSigning {
    let backend: PaymentAPI
    let session: ProtectedSession
    let service = ProtectionService.shared

    static func main() async throws {
        let sample = try await MessageSigning()
        let failures = try await [sample.send(), sample.tamper(), sample.replay()].reduce(0, +)
        print(failures == 0 ? "\nall as it should be" : "\n\(failures) answers were not as they should be")
        if failures > 0 { throw ProtectionError(.permanent, "the sample failed") }
    }

    init() async throws {
        let signingKey = try PrivateKey.generate(.p256)
        let authority = try AttestationAuthority(
            issuer: "https://authority.example",
            signingKey: JSONWebKey(signingKey, keyID: "1"),
            store: InMemoryAuthorityStore()
        )
        try await authority.addAccount(Account(id: "demo", protectedHosts: [HostPattern("localhost")]))
        let accountKey = try await authority.rotateAccountKey(account: "demo")
        let publicKey = try JSONWebKey(signingKey.publicKey, keyID: "1")
        backend = try PaymentAPI(tokenKeys: JSONWebKeySet([publicKey]), accountKey: accountKey)

        let fetcher = try EmbeddedTokenFetcher(authority: authority, account: "demo")
        let configuration = try ProtectionConfiguration(
            authority: RequestTarget("https://authority.example"),
            account: "demo",
            protectedHosts: [HostPattern("localhost")],
            authorityKey: publicKey
        )
        service.setLoggingLevel(.off)
        try service.initialize(config: configuration.encoded(), fetcher: fetcher)
        var factory = SignatureParametersFactory()
        factory.keys = .both
        factory.includesNonce = true
        service.setServiceMutator(MessageSigningMutator(keys: fetcher, factory: factory))
        session = try ProtectedSession()
    }

    private func payment() throws -> HTTPRequest {
        var request = try HTTPRequest(
            method: .post,
            url: backend.url + "/payments?currency=eur",
            body: HTTPBody(#"{"to":"alice","amount":10}"#)
        )
        try request.fields.set("application/json", for: .contentType)
        try request.fields.set("Bearer user-credentials", for: .authorization)
        return request
    }

    private func send() async throws -> Int {
        print("the app sends a payment, which its session signs")
        let response = try await session.data(for: payment())
        print("  answer: \(response.status)")
        print("  what the installation key signed, without the secrets:")
        for line in backend.lastSignatureBase { print("    \(line)") }
        return response.status == .ok ? 0 : 1
    }

    private func tamper() async throws -> Int {
        print("\nsomebody in between changes it")
        var body = try await service.protect(payment())
        body.body = HTTPBody(#"{"to":"carol","amount":10}"#)
        var path = try await service.protect(payment())
        path.target = try RequestTarget(backend.url + "/refunds?currency=eur")
        var header = try await service.protect(payment())
        try header.fields.set("Bearer other-credentials", for: .authorization)
        return try await [
            refused(body, "another body", "contentMismatch"),
            refused(path, "another path", "invalidSignature"),
            refused(header, "another header", "invalidSignature"),
        ].reduce(0, +)
    }

    private func replay() async throws -> Int {
        print("\nsomebody sends it a second time")
        let request = try await service.protect(payment())
        let first = try await CurlSession().data(for: request)
        print("  the first time: \(first.status)")
        return try await refused(request, "the second time", "replayedSignature")
            + (first.status == .ok ? 0 : 1)
    }

    private func refused(_ request: HTTPRequest, _ what: String, _ code: String) async throws -> Int {
        let response = try await CurlSession().data(for: request)
        let reason = response.text ?? ""
        print("  \(what): \(response.status) \(reason)")
        return response.status == .unauthorized && reason == code ? 0 : 1
    }
}
