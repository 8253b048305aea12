public import HTTPMessages
public import HTTPTransport

/// A session whose requests are protected: what an app uses in place of `URLSession`.
///
/// ```swift
/// try ProtectionService.shared.initialize(config: config, fetcher: fetcher)
/// let session = try ProtectedSession()
/// let response = try await session.data(from: "https://api.example.com/v1/shapes")
/// ```
public struct ProtectedSession: HTTPSession {
    private let session: InterceptedSession

    /// Makes a session over a connection pool of its own.
    ///
    /// - Parameters:
    ///   - service: The service that protects its requests.
    ///   - configuration: How connections are made.
    ///   - fields: Fields that are added to requests that do not have them.
    ///   - interceptors: What else stands between the caller and the service, the first outermost.
    /// - Throws: `TransportError` when the transport cannot be set up.
    public init(
        service: ProtectionService = .shared,
        configuration: CurlSession.Configuration = CurlSession.Configuration(),
        fields: HTTPFields = HTTPFields(),
        interceptors: [any HTTPInterceptor] = []
    ) throws {
        self.init(
            service: service,
            transport: try CurlSession(configuration: configuration),
            fields: fields,
            interceptors: interceptors
        )
    }

    /// Makes a session over another transport.
    public init(
        service: ProtectionService = .shared,
        transport: any HTTPSession,
        fields: HTTPFields = HTTPFields(),
        interceptors: [any HTTPInterceptor] = []
    ) {
        let protection = ProtectionInterceptor(service: service, sessionFields: fields)
        session = InterceptedSession(transport, interceptors: interceptors + [protection])
    }

    /// Protects a request, sends it and waits for the whole response.
    ///
    /// - Throws: ``ProtectionError`` or what a hook of the mutator throws, and nothing was sent; else what an
    ///   interceptor or the transport throws.
    public func data(for request: HTTPRequest) async throws -> HTTPResponse {
        try await session.data(for: request)
    }
}
