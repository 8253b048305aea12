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
}
