/// What becomes of a placeholder once its secret has been fetched.
public enum SubstitutionDecision: Sendable, Hashable {
    /// Put the secret in its place.
    case substitute
    /// Send the placeholder as it is.
    case leaveUnchanged
}
