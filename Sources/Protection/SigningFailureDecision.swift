/// What becomes of a request that could not be signed.
public enum SigningFailureDecision: Sendable, Hashable {
    /// The request is not sent; its caller gets the error.
    case stop
    /// The request goes out without a signature.
    case sendUnsigned
}
