/// Where an installation keeps its ``AttestationRecord``, for all processes that share its key.
public protocol AttestationKeyStore: Sendable {
    /// The record; a new one when there is none.
    ///
    /// - Throws: ``AttestationClientError`` with code `storeDamaged` or `storeFailed`, or any other error.
    func load() async throws -> AttestationRecord

    /// Changes the record in one step that no other process comes between, and keeps it for good before it returns.
    ///
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws, and nothing has changed then; else as ``load()``.
    func update<Result: Sendable>(
        _ change: @Sendable (inout AttestationRecord) throws -> Result
    ) async throws -> Result

    /// Takes the right to have a key attested.
    ///
    /// - Returns: The right; nil when another process, or another part of this one, has it.
    /// - Throws: As ``load()``.
    func claim() async throws -> (any AttestationClaim)?
}
