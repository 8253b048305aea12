/// Whether the service handles a request.
public enum ProcessingDecision: Sendable, Hashable {
    /// Fetch a token, substitute, sign.
    case process
    /// Send the request as it is; pins still hold.
    case ignore
}

/// What becomes of a request once its token has been fetched.
public enum TokenDecision: Sendable, Hashable {
    /// Attach the token; without one, the status when the service is told to send it.
    case attachToken
    /// Send the request without a token and without any secret.
    case proceedWithoutToken
}

/// What becomes of a placeholder once its secret has been fetched.
public enum SubstitutionDecision: Sendable, Hashable {
    /// Put the secret in its place.
    case substitute
    /// Send the placeholder as it is.
    case leaveUnchanged
}

/// What becomes of a request that could not be signed.
public enum SigningFailureDecision: Sendable, Hashable {
    /// The request is not sent; its caller gets the error.
    case stop
    /// The request goes out without a signature.
    case sendUnsigned
}

/// Whether the pins of a host hold for one request.
public enum PinningDecision: Sendable, Hashable {
    /// The pins hold.
    case pin
    /// The request goes by normal certificate verification alone.
    case skip
}
