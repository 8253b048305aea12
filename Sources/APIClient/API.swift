import HTTPInterceptors
public import HTTPMessages
import HTTPTransport
import Protection

/// An API over HTTP: typed calls, with the headers, pins and rules that all of them share.
///
/// ```swift
/// let api = try API(API.Configuration(baseURL: "https://api.example.com/v1"))
/// let shape: Shape = try await api.get("/shapes/\(id)")
/// ```
///
/// It is a value; copies share their connections. Each call goes through redirects, the interceptors of the configuration
/// (credentials and retries belong there), the cache, the protection service and the pins, in this order.
public struct API: APIService, CustomStringConvertible, CustomReflectable {
    let configuration: Configuration
    let base: RequestTarget?
    private let baseFields: HTTPFields
    private let session: any HTTPSession
    /// The same without the cache.
    private let plainSession: any HTTPSession

    /// Makes an API.
    ///
    /// - Parameters:
    ///   - configuration: What it is and how it is called.
    ///   - session: What sends the requests; nil makes one over libcurl. Another session must heed the pins in
    ///     `HTTPRequest.options`, as `CurlSession` does. Credentials that it adds by itself are not known to the cache.
    /// - Throws: ``APIError`` with code `invalidConfiguration`, `invalidURL` for the base URL or `invalidHeader`.
    public init(_ configuration: Configuration, session: (any HTTPSession)? = nil) throws(APIError) {
        self.configuration = configuration
        base = try configuration.baseURL.map { url throws(APIError) in try Self.base(url) }
        baseFields = try HeaderFields.make(configuration.baseHeaders)
        guard configuration.timeout.map({ $0 > .zero }) ?? true, configuration.errorBodyLimit >= 0 else {
            throw APIError(.invalidConfiguration, "the timeout or the limit of error bodies is not positive")
        }
        let pins = try configuration.sslPinning.policy()
        let transport: any HTTPSession
        if let session {
            transport = session
        } else {
            do throws(TransportError) {
                transport = try CurlSession(configuration: configuration.transport)
            } catch {
                throw APIError(.invalidConfiguration, "the transport cannot be set up", underlying: error)
            }
        }
        let names = baseFields.map(\.name)
        let protection = configuration.protection
        let outer: [any HTTPInterceptor] =
            [
                RedirectInterceptor(
                    policy: configuration.redirects,
                    sensitiveFields: { names + (protection?.fieldsOfOneOrigin ?? []) }
                )
            ] + configuration.interceptors
        var inner: [any HTTPInterceptor] = []
        if let protection { inner.append(ProtectionInterceptor(service: protection)) }
        if let pins { inner.append(PinningInterceptor(pins: pins)) }
        plainSession = InterceptedSession(transport, interceptors: outer + inner)
        self.session =
            configuration.cache.map {
                InterceptedSession(transport, interceptors: outer + [ConditionalRequests(cache: $0)] + inner)
            } ?? plainSession
    }

    /// Makes an API that is called by whole URLs.
    ///
    /// - Parameters:
    ///   - sslPinning: The keys that the servers are pinned to.
    ///   - validStatusCodes: The statuses that are no error.
    ///   - baseHeaders: The headers of every call that does not name them itself.
    /// - Throws: As ``init(_:session:)``.
    public init(
        sslPinning: SSLPinning = .disabled,
        validStatusCodes: [Int] = Array(200...299),
        baseHeaders: [String: String]? = nil
    ) throws(APIError) {
        var configuration = Configuration()
        configuration.sslPinning = sslPinning
        configuration.validStatusCodes = Set(validStatusCodes)
        configuration.baseHeaders = baseHeaders ?? [:]
        try self.init(configuration)
    }

    /// What turns values into JSON and back.
    public var coders: JSONCoders { configuration.coders }

    /// Makes a call and returns what came, undecoded.
    ///
    /// - Throws: ``APIError``: `invalidURL`, `invalidHeader` or `encoding` before anything is sent; `protection`, `pinning`,
    ///   `transport` or `cancelled` when there is no response; `status` when it is checked and not valid.
    public func perform(
        _ request: APIRequest,
        validatesStatusCode: Bool
    ) async throws(APIError) -> (data: [UInt8], response: HTTPResponse) {
        let response = try await response(to: try message(for: request), request)
        guard !validatesStatusCode || configuration.validStatusCodes.contains(response.status.code) else {
            throw APIError.status(of: response, configuration)
        }
        return (response.body, response)
    }

    /// The base URL; headers may hold secrets and are not shown.
    public var description: String { "API(\(base?.description ?? "without a base URL"))" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }

    private func response(
        to message: HTTPRequest,
        _ request: APIRequest
    ) async throws(APIError) -> HTTPResponse {
        do {
            let session = request.usesCache ? session : plainSession
            return try await session.data(for: message, interceptors: request.interceptors)
        } catch {
            throw APIError.wrapping(error)
        }
    }

    /// The target of a call.
    func target(of request: APIRequest) throws(APIError) -> RequestTarget {
        let parameters = try request.parameters.map { encode throws(APIError) in try encode(coders) } ?? []
        return try EndpointResolver(base: base)
            .target(of: request.endpoint, items: request.queryItems + parameters)
    }

    private func message(for request: APIRequest) throws(APIError) -> HTTPRequest {
        var message = HTTPRequest(method: request.method, target: try target(of: request))
        message.fields = baseFields
        for field in try HeaderFields.make(request.headers) { message.fields.set(field) }
        if !message.fields.contains("Accept") {
            try add("\(MediaType.json), \(MediaType.problem)", "Accept", to: &message)
        }
        if let body = request.body {
            let (content, type) = try body.encode(coders)
            message.body = content
            if body.hasFixedType || !message.fields.contains(.contentType), let type {
                try add(type, .contentType, to: &message)
            }
        }
        var key = request.idempotencyKey
        if key == nil, configuration.addsIdempotencyKeys, [.post, .patch].contains(request.method),
            !message.fields.contains("Idempotency-Key")
        {
            key = try .random()
        }
        if let key { try add(key.fieldValue, "Idempotency-Key", to: &message) }
        message.options.timeout = request.timeout ?? configuration.timeout
        return message
    }

    private func add(
        _ value: String,
        _ name: HTTPField.Name,
        to message: inout HTTPRequest
    ) throws(APIError) {
        do throws(HTTPMessageError) { try message.fields.set(value, for: name) } catch {
            throw APIError(.invalidHeader, "a header cannot be sent", underlying: error)
        }
    }

    private static func base(_ url: String) throws(APIError) -> RequestTarget {
        let target = try EndpointResolver(base: nil).target(of: APIEndpoint(path: url), items: [])
        guard target.query == nil else { throw APIError(.invalidURL, "the base URL has a query") }
        return target
    }
}
