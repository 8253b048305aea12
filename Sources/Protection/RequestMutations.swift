public import HTTPMessages

/// What the service has changed in a request.
public struct RequestMutations: Sendable, Hashable {
    /// The field that carries the token, when one was attached.
    public internal(set) var tokenHeader: HTTPField.Name?
    /// What stands before the token in its field.
    var tokenPrefix = ""
    /// The field that carries the trace identifier, when one was attached.
    public internal(set) var traceIDHeader: HTTPField.Name?
    /// The fields whose placeholders were replaced by secrets, in order.
    public internal(set) var substitutedHeaders: [HTTPField.Name] = []
    /// The query parameters whose placeholders were replaced by secrets, in order.
    public internal(set) var substitutedQueryParameters: [String] = []
    /// The target before any query parameter was replaced; it holds no secret of ours.
    public internal(set) var originalTarget: RequestTarget
    /// Whether the token is one of the authority's, and not a status in its place.
    public internal(set) var hasToken = false

    init(originalTarget: RequestTarget) {
        self.originalTarget = originalTarget
    }
}
