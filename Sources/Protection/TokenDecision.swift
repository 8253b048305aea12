/// What becomes of a request once its token has been fetched.
public enum TokenDecision: Sendable, Hashable {
    /// Attach the token; without one, the status when the service is told to send it.
    case attachToken
    /// Send the request without a token and without any secret.
    case proceedWithoutToken
}
