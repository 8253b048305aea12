public import HTTPMessages

/// One call of an API, as a value.
public struct APIRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// What to do with the endpoint.
    public var method: HTTPMethod
    /// Where the call goes.
    public var endpoint: APIEndpoint
    /// What is added to the query, encoded.
    public var queryItems: [QueryItem]
    /// Headers of this call; they take the place of the API's own of the same name, whatever the case.
    public var headers: [String: String]
    /// The content; nil sends none.
    public var body: APIBody?
    /// How long the call may take; nil is the API's own limit.
    public var timeout: Duration?
    /// The key that makes retries safe; nil sends one only where the API adds them.
    public var idempotencyKey: IdempotencyKey?
    /// What this call goes through before the interceptors of the API, the first outermost.
    public var interceptors: [any HTTPInterceptor]
    /// Whether the API's cache may be used for the call.
    public var usesCache: Bool
    /// A flat value whose members are added to the query.
    var parameters: (@Sendable (JSONCoders) throws(APIError) -> [QueryItem])?

    /// Makes a call.
    public init(
        _ method: HTTPMethod = .get,
        _ endpoint: APIEndpoint,
        queryItems: [QueryItem] = [],
        headers: [String: String] = [:],
        body: APIBody? = nil,
        timeout: Duration? = nil,
        idempotencyKey: IdempotencyKey? = nil,
        interceptors: [any HTTPInterceptor] = [],
        usesCache: Bool = true
    ) {
        self.method = method
        self.endpoint = endpoint
        self.queryItems = queryItems
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.idempotencyKey = idempotencyKey
        self.interceptors = interceptors
        self.usesCache = usesCache
    }

    /// Method and path; the query, the headers and the content may hold secrets and are not shown.
    public var description: String { "\(method) \(endpoint)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Adds the members of a flat value to the query when the call is made.
    mutating func setParameters(_ value: (some Encodable & Sendable)?) {
        guard let value else { return }
        parameters = { coders throws(APIError) in try FormEncoder.items(of: value, with: coders) }
    }
}
