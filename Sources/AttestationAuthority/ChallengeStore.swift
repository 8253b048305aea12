/// Where challenges wait for their attestations.
///
/// A backend of several processes has one store for all of them.
public protocol ChallengeStore: Sendable {
    /// Keeps a challenge for a time.
    ///
    /// - Returns: False, and nothing changed, when there is one of this session already.
    /// - Throws: Any error of the store.
    func insert(_ challenge: IssuedChallenge, lifetime: Duration) async throws -> Bool

    /// Forgets the challenge of a session and returns it, in one step that nothing can come between.
    ///
    /// In SQL that is `DELETE … WHERE session_id = sessionID AND ends_at > now RETURNING …`.
    ///
    /// - Returns: Nil when there is none of this session, or when its time is over. Of several callers one gets it.
    /// - Throws: Any error of the store.
    func take(_ sessionID: String) async throws -> IssuedChallenge?
}
