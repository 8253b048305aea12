/// The plug that tokens and secrets come from.
///
/// A fetcher answers with a ``FetchResult`` whatever happens: a failure is a status, which the ``ServiceMutator`` then
/// judges. The service puts a cache in front (a valid token is reused, many callers cause one fetch, a failure is
/// remembered for a while), so a fetcher fetches and does no more. It may be called from any task, and should heed
/// cancellation; an answer that comes too late is dropped.
///
/// A fetcher that holds the keys of message signatures says so with the two methods of ``SigningKeyHolder``, most simply
/// with a ``SigningKeys`` that it keeps; by default there are none.
///
/// ```swift
/// struct VaultFetcher: TokenFetcher {
///     let vault: VaultClient
///
///     func fetchToken(_ request: TokenRequest) async -> FetchResult {
///         guard let token = try? await vault.token(audience: request.audience) else {
///             return FetchResult(status: .noNetwork)
///         }
///         return FetchResult(status: .success, token: token.text, expiresAt: token.expiry)
///     }
/// }
/// ```
public protocol TokenFetcher: SigningKeyHolder {
    /// Whether ``fetchToken(_:)`` is cheap and current by itself; the service then asks it for every request.
    var hasOwnCache: Bool { get }

    /// Takes the configuration, once for each time that the service is really initialized.
    ///
    /// - Throws: Whatever makes the configuration unusable; the service stays as it was.
    func initialize(with configuration: ProtectionConfiguration) throws

    /// Fetches a token.
    ///
    /// - Returns: The token. `SUCCESS` with an empty one says that none is needed: the request goes without.
    func fetchToken(_ request: TokenRequest) async -> FetchResult

    /// Reads, defines or deletes a secure string.
    ///
    /// - Parameters:
    ///   - key: The name of the string.
    ///   - newDefinition: The secret to define; an empty one deletes the string; nil only reads it.
    /// - Returns: The secret, or the status `UNKNOWN_KEY` when there is none under the key.
    func fetchSecureString(_ key: String, newDefinition: String?) async -> FetchResult

    /// Has a payload signed.
    ///
    /// - Parameter payload: A JSON object of claims.
    /// - Returns: The JWT as the result's token.
    func fetchCustomJWT(payload: String) async -> FetchResult

    /// Reads the account's configuration again, after a result said that it has changed; nobody waits for it.
    func refreshConfiguration() async

    /// The identity of this installation, or nil before it has one.
    var deviceID: String? { get }

    /// Marks this installation as a development one, which the account lets pass attestation; nil takes that back.
    func setDevelopmentKey(_ key: String?)
}

extension TokenFetcher {
    /// Whether the fetcher needs no cache in front; by default it does.
    public var hasOwnCache: Bool { false }

    /// Takes no notice of the configuration.
    public func initialize(with configuration: ProtectionConfiguration) throws {}

    /// Has no secure strings.
    public func fetchSecureString(_ key: String, newDefinition: String?) async -> FetchResult {
        FetchResult(status: .disabled, detail: "this token fetcher has no secure strings")
    }

    /// Signs no payloads.
    public func fetchCustomJWT(payload: String) async -> FetchResult {
        FetchResult(status: .disabled, detail: "this token fetcher signs no custom JWTs")
    }

    /// Has no configuration to read again.
    public func refreshConfiguration() async {}

    /// Has no identity.
    public var deviceID: String? { nil }

    /// Takes no notice of the key.
    public func setDevelopmentKey(_ key: String?) {}
}
