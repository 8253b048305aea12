public import HTTPInterceptors
public import HTTPMessages
public import HTTPTransport

/// A session whose requests are protected: what an app uses in place of `URLSession`.
///
/// ```swift
/// try ProtectionService.shared.initialize(config: config, fetcher: fetcher)
/// let session = try ProtectedSession()
/// let response = try await session.data(from: "https://api.example.com/v1/shapes")
/// ```
///
/// Redirects are followed hop by hop: each goes through the interceptors, the service's policy, the pins and the
/// signatures for its own host. Nothing that the service put into a request goes along, and what the caller put there is
/// dropped across an origin when it is a credential, a bound or a substituted field.
public struct ProtectedSession: HTTPSession {
    private let session: InterceptedSession
    private let fields: HTTPFields

    /// Makes a session over a connection pool of its own.
    ///
    /// - Parameters:
    ///   - service: The service that protects its requests.
    ///   - configuration: How connections are made.
    ///   - fields: Fields that are added to requests that do not have them. They belong to the origin that the caller
    ///     asked for, like credentials: a redirect to another one drops them.
    ///   - interceptors: What else stands between the caller and the service, the first outermost; they see each hop of
    ///     a redirect.
    ///   - redirects: Which redirects are followed.
    /// - Throws: `TransportError` when the transport cannot be set up.
    public init(
        service: ProtectionService = .shared,
        configuration: CurlSession.Configuration = CurlSession.Configuration(),
        fields: HTTPFields = HTTPFields(),
        interceptors: [any HTTPInterceptor] = [],
        redirects: RedirectPolicy = .follow
    ) throws {
        self.init(
            service: service,
            transport: try CurlSession(configuration: configuration),
            fields: fields,
            interceptors: interceptors,
            redirects: redirects
        )
    }

    /// Makes a session over another transport.
    public init(
        service: ProtectionService = .shared,
        transport: any HTTPSession,
        fields: HTTPFields = HTTPFields(),
        interceptors: [any HTTPInterceptor] = [],
        redirects: RedirectPolicy = .follow
    ) {
        let names = fields.map(\.name)
        let redirect = RedirectInterceptor(
            policy: redirects,
            sensitiveFields: { names + service.fieldsOfOneOrigin }
        )
        let protection = ProtectionInterceptor(service: service)
        self.fields = fields
        session = InterceptedSession(transport, interceptors: [redirect] + interceptors + [protection])
    }

    /// Protects a request, sends it and waits for the whole response.
    ///
    /// - Throws: ``ProtectionError`` or what a hook of the mutator throws, and nothing was sent; else what an
    ///   interceptor or the transport throws.
    public func data(for request: HTTPRequest) async throws -> HTTPResponse {
        // Here and not further in, where each hop would get them again.
        try await session.data(for: request.adding(fields))
    }
}
