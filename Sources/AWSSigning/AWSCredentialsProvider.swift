public import FoundationEssentials

/// A source of credentials.
///
/// A signer's interceptor asks for each request, so a source that works for its answer stands behind a
/// ``CachedCredentialsProvider``.
public protocol AWSCredentialsProvider: Sendable {
    /// The credentials to sign with now.
    ///
    /// - Throws: ``AWSSigningError``, with code `noCredentials` when the source has nothing to offer and another one may
    ///   be asked; `CancellationError` when the task was cancelled.
    func credentials() async throws -> AWSCredentials

    /// The credentials to sign with at a date of the service's clock, which may not be this machine's.
    ///
    /// A source that keeps credentials until they end goes by this date. By default it is not looked at.
    ///
    /// - Throws: As ``credentials()``.
    func credentials(at date: Date) async throws -> AWSCredentials
}

extension AWSCredentialsProvider {
    /// What ``credentials()`` gives.
    public func credentials(at date: Date) async throws -> AWSCredentials { try await credentials() }
}
