public import HTTPMessages

/// The backend that gives challenges and takes attestations.
///
/// Throw ``AttestationClientError`` with code `refused` for what will stay so, and `unavailable` for what may pass. Any
/// other error counts as one that may pass.
public protocol AttestationBackend: Sendable {
    /// The targets of its own requests, which ``AttestationGateInterceptor`` lets through: a POST to exactly these.
    var endpoints: [RequestTarget] { get }

    /// Asks for a challenge.
    ///
    /// - Returns: A challenge that was never given before.
    /// - Throws: Any error.
    func fetchChallenge() async throws -> AttestationChallenge

    /// Shows an attestation; returns when the backend keeps the key.
    ///
    /// A backend that keeps the key already, because an earlier answer was lost, must take it again or be understood to.
    ///
    /// - Throws: Any error.
    func submit(_ submission: AttestationSubmission) async throws
}
