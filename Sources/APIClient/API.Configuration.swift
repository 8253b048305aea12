public import HTTPInterceptors
public import HTTPMessages
public import HTTPTransport
public import Protection

extension API {
    /// What an API is and how it is called.
    public struct Configuration: Sendable, CustomStringConvertible, CustomReflectable {
        /// The URL that paths are below; nil takes whole URLs only.
        ///
        /// It has no query. Its path is a folder, with or without a slash at its end.
        public var baseURL: String?
        /// The keys that the servers are pinned to; by default none.
        public var sslPinning = SSLPinning.disabled
        /// The statuses that are no error; by default 200 to 299.
        public var validStatusCodes: Set<Int>
        /// The headers of every call that does not name them itself; by default none.
        public var baseHeaders: [String: String] = [:]
        /// What turns values into JSON and back.
        public var coders = JSONCoders()
        /// How long a call may take; nil, the default, is the transport's own limit.
        public var timeout: Duration?
        /// How much of the content an error of the code `status` keeps, in octets; by default 64 KiB.
        public var errorBodyLimit: Int = 64 << 10
        /// The type that the content of a response with an invalid status is decoded as; nil, the default, decodes none.
        public var errorType: (any (Decodable & Sendable).Type)?
        /// Whether POST and PATCH that bring no idempotency key get a random one; by default not.
        public var addsIdempotencyKeys: Bool = false
        /// The representations that are asked for again by their entity tags; nil, the default, keeps none.
        public var cache: ResponseCache?
        /// What stands between a call and the protection, the first outermost; by default nothing.
        ///
        /// They see each hop of a redirect.
        public var interceptors: [any HTTPInterceptor] = []
        /// The service that protects the calls; nil, the default, protects none.
        public var protection: ProtectionService?
        /// Which redirects are followed; by default those that stay at their origin.
        ///
        /// A followed redirect to another origin takes no base header along, and no `Authorization` or `Cookie`. One that
        /// is not followed is a response with the status that it has.
        public var redirects: RedirectPolicy = RedirectPolicy { $0.target.origin == $1.target.origin }
        /// How connections are made, where the API makes its own session.
        public var transport = CurlSession.Configuration()

        /// Makes the default configuration.
        public init(baseURL: String? = nil) {
            self.baseURL = baseURL
            validStatusCodes = Set(200...299)
        }

        /// How many headers there are; they may hold secrets and are not shown.
        public var description: String { "API.Configuration, \(baseHeaders.count) base headers" }

        /// A mirror without children, so that `dump` shows nothing.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}
