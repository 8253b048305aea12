/// What the service decides when the app does not.
///
/// A network failure stops the request as retryable, a rejection and everything else as permanent, with two
/// exceptions: a host that is not protected, or an authority that has no service, lets the request go without a token,
/// for the backend to answer; and a key without a secure string leaves its placeholder. Plain `http` is stopped: a
/// token or a secret must not travel in clear, except to this machine itself.
public struct DefaultServiceMutator: ServiceMutator {
    /// Makes the default policy.
    public init() {}
}
