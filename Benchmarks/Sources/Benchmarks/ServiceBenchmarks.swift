import Cryptography
import Foundation
import HTTPMessages
import JSONWebTokens
import Protection
import ProtectionTesting

/// What protection adds to a request, without sending it.
enum ServiceBenchmarks {
    static let all: [Benchmark] = [
        Benchmark(name: "service") { _ in
            let service = try makeService(token: try makeToken())
            let request = try HTTPRequest(url: "http://127.0.0.1/v1/shapes?sides=4")
            // The first one fetches the token.
            try await check(service.updateRequest(request))
            return [
                Contender("updateRequest", inFlight: 1) {
                    try check(await service.updateRequest(request))
                }
            ]
        },
        Benchmark(name: "url") { _ in
            let text = "https://api.example.com/v1/shapes/17?sides=4&colour=dark%20red"
            return [
                Contender("RequestTarget") { _ = try RequestTarget(text) },
                Contender("Foundation's URL") {
                    guard URL(string: text) != nil else { throw BenchmarkError("the URL cannot be read") }
                },
            ]
        },
    ]

    /// A session whose token is in its cache.
    static func makeSession(_ transport: any HTTPSession, token: String) async throws -> ProtectedSession {
        let service = try makeService(token: token)
        try await check(service.updateRequest(try HTTPRequest(url: "http://127.0.0.1/")))
        return ProtectedSession(service: service, transport: transport)
    }

    /// A token as an authority makes it, valid for an hour.
    static func makeToken() throws -> String {
        let key = try JSONWebKey(try PrivateKey.generate(.p256), keyID: "2026-01")
        return try TokenSigner(key: key).sign(makeClaims())
    }

    static func makeClaims() -> TokenClaims {
        var claims = TokenClaims()
        let now = Int64(Date.now.timeIntervalSince1970)
        claims.issuer = "authority.example.com"
        claims.audience = ["api.example.com"]
        claims.issuedAt = now
        claims.expiration = now + 3600
        claims.subject = "d2hhdCBhbiBpbnN0YWxsYXRpb24="
        return claims
    }

    private static func makeService(token: String) throws -> ProtectionService {
        let service = ProtectionService(options: .init(prefetches: false))
        service.setLoggingLevel(.warning)
        let configuration = try ProtectionConfiguration(
            authority: try RequestTarget("https://authority.example.com/"),
            account: "benchmarks",
            protectedHosts: [try HostPattern("127.0.0.1")],
            authorityKey: try JSONWebKey(try PrivateKey.generate(.p256))
        )
        let result = FetchResult(status: .success, token: token, expiresAt: .now + 3600)
        try service.initialize(
            config: try configuration.encoded(),
            fetcher: ScriptedTokenFetcher(tokens: [.init(result)])
        )
        return service
    }

    private static func check(_ update: RequestUpdate) throws {
        guard update.decision == .proceed, update.mutations.hasToken else {
            throw BenchmarkError("the service attached no token: \(update.message)")
        }
    }
}
