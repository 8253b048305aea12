import Timing

/// A limit on how long something may take that heeds cancellation: its end is waited for, so that it can clear away what it has
/// begun, as a file that is not whole.
enum TimeLimit {
    /// Does the work within a limit.
    ///
    /// - Parameters:
    ///   - limit: How long it may take; nil for any time.
    ///   - time: What the limit is measured with.
    ///   - work: What is cancelled at the limit.
    /// - Returns: What the work gives.
    /// - Throws: ``ToolError`` with code `timedOut`, and what the work throws.
    static func value<Value: Sendable>(
        within limit: Duration?,
        time: TimeSource,
        of work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let limit else { return try await work() }
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await time.sleep(limit)
                throw ToolError(.timedOut, "all together took longer than --max-time allows")
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
