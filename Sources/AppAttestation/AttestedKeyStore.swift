/// Where a backend keeps attested keys.
public protocol AttestedKeyStore: Sendable {
    /// Keeps a new key, with its receipt and all else that it holds, in one step.
    ///
    /// - Returns: False, and nothing changed, when there is a key of this identifier already.
    /// - Throws: Any error of the store.
    func insert(_ key: AttestedKey) async throws -> Bool

    /// The key of an identifier, or nil.
    ///
    /// - Throws: Any error of the store.
    func key(_ keyID: [UInt8]) async throws -> AttestedKey?

    /// Sets a key's counter if it still has the value named, in one step that nothing can come between.
    ///
    /// In SQL that is `UPDATE … SET counter = to WHERE key_id = keyID AND counter = from`.
    ///
    /// - Returns: False, and nothing changed, when the counter has another value or the key is gone.
    /// - Throws: Any error of the store.
    func advanceCounter(keyID: [UInt8], from: UInt32, to: UInt32) async throws -> Bool
}
