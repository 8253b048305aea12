import Glibc

/// Waits on a thread of its own: a test that blocks one of Swift's threads can keep the handler that it waits for from
/// running.
package func blocking<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        let work = Work { continuation.resume(with: .init(catching: body)) }
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(work).toOpaque()
        let status = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            },
            context
        )
        guard status == 0 else {
            unsafe Unmanaged<Work>.fromOpaque(context).release()
            return continuation.resume(throwing: Command.Failure(number: status))
        }
        pthread_detach(thread)
    }
}

private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
