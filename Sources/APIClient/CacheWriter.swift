import Dispatch
import Locking

/// Writes the newest state of something, once for all who changed it while it was written before.
///
/// A write takes as long as the device does. It is done on a thread that is none of those that Swift's tasks share, and who
/// waits for it holds neither a thread nor a lock meanwhile.
package final class CacheWriter: Sendable {
    /// One after the other.
    private let queue = DispatchQueue(label: "api-response-cache")
    /// The newest version that was written.
    private let written = Mutex<UInt64>(0)

    /// Makes a writer that has written nothing.
    package init() {}

    /// Comes back when a version, or a newer one, has been written.
    ///
    /// - Parameters:
    ///   - version: The version, above 0.
    ///   - write: Writes the newest state and returns its version; called when no write has covered the version.
    package func write(atLeast version: UInt64, _ write: @escaping @Sendable () -> UInt64) async {
        await withCheckedContinuation { continuation in
            queue.async {
                if self.written.withLock({ $0 < version }) {
                    let newest = write()
                    self.written.withLock { $0 = newest }
                }
                continuation.resume()
            }
        }
    }
}
