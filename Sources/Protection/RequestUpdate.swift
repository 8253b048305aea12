public import HTTPMessages

/// What the service made of a request.
public struct RequestUpdate: Sendable {
    /// What the caller should do.
    public enum Decision: Sendable, Hashable {
        /// Send ``RequestUpdate/request``.
        case proceed
        /// Send nothing now; the same request may succeed later.
        case retry
        /// Send nothing.
        case fail
        /// Send ``RequestUpdate/request``, which the service has only given the session's fields and its pins.
        case ignore
    }

    /// The request to send; the caller's own, unchanged, when nothing is to be sent.
    public let request: HTTPRequest
    /// What the caller should do.
    public let decision: Decision
    /// How the decision came about, in a few words; the method, host and path of a request that proceeds.
    public var message: String { reason ?? "\(request)" }
    /// Why nothing is to be sent: a ``ProtectionError``, or whatever a hook of the mutator threw.
    public let error: (any Error)?
    /// What was changed.
    public let mutations: RequestMutations
    /// Why the request was ignored or stopped; nil when it proceeds, so that no text is made for it.
    let reason: String?
}
