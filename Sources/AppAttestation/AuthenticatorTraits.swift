/// What is known of the authenticator that made a key.
public struct AuthenticatorTraits: Sendable, Hashable {
    /// Apple's environment; nil for other formats.
    public var environment: AppAttestEnvironment?
    /// What iOS 27 and later tell of the app; nil for other formats.
    public var appExtensions: AppAttestExtensions?

    /// Makes traits.
    public init(environment: AppAttestEnvironment? = nil, appExtensions: AppAttestExtensions? = nil) {
        self.environment = environment
        self.appExtensions = appExtensions
    }
}
