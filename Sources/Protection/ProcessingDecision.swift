/// Whether the service handles a request.
public enum ProcessingDecision: Sendable, Hashable {
    /// Fetch a token, substitute, sign.
    case process
    /// Send the request as it is; pins still hold.
    case ignore
}
