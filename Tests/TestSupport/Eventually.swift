/// What ``eventually(_:)`` throws.
package struct NeverHappened: Error {}

/// Lets other tasks go on until something holds.
///
/// - Throws: ``NeverHappened`` when it does not hold within a minute, so that a fault fails a test and does not hang it;
///   `CancellationError`; what the condition throws.
package func eventually(_ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened() }
        try Task.checkCancellation()
        await Task.yield()
    }
}
