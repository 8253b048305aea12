/// How far a sequence of pages goes, and where.
public struct PageRules: Sendable, Hashable {
    /// The most pages; when there is a further one, the sequence ends with an error and not as if it were whole.
    public var maximumCount: Int
    /// Origins besides that of the first page that a next page may be at, as `https://api2.example.com`.
    ///
    /// The headers of the call go there too, credentials included.
    public var allowedOrigins: Set<String>

    /// Makes rules.
    public init(maximumCount: Int = 1000, allowedOrigins: Set<String> = []) {
        self.maximumCount = maximumCount
        self.allowedOrigins = allowedOrigins
    }
}
