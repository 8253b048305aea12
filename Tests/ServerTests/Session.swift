import Cryptography
import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

/// A session that trusts the tests' own authority.
func makeSession(
    _ change: (inout CurlSession.Configuration) throws -> Void = { _ in }
) throws -> CurlSession {
    var configuration = CurlSession.Configuration(
        trustRoots: .pem(try CertificateAuthority.shared.bytes("root.pem"))
    )
    configuration.timeout = .seconds(30)
    try change(&configuration)
    return try CurlSession(configuration: configuration)
}

/// The error that a request ends with.
func refusal(
    of url: String,
    by session: CurlSession,
    _ location: SourceLocation = #_sourceLocation
) async throws -> TransportError {
    try await #require(throws: TransportError.self, sourceLocation: location) {
        try await session.data(from: url)
    }
}

/// Content that is the same nowhere.
func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3 &+ $0 >> 11) }
}
