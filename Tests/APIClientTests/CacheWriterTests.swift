import APIClient
import Glibc
import Locking
import Testing

@Suite("Writer of the cache", .timeLimit(.minutes(1))) struct CacheWriterTests {
    /// What is written, by a device that takes as long as the test wants.
    private final class Device: Sendable {
        private let state = Mutex((newest: UInt64(0), isBusy: true))
        let writes = Mutex<[UInt64]>([])

        /// How many changes there were.
        var newest: UInt64 { state.withLock { $0.newest } }

        /// Counts a change and returns its version.
        func change() -> UInt64 {
            state.withLock {
                $0.newest += 1
                return $0.newest
            }
        }

        func write() -> UInt64 {
            let version = newest
            writes.withLock { $0.append(version) }
            while state.withLock({ $0.isBusy }) { sched_yield() }
            return version
        }

        func end() { state.withLock { $0.isBusy = false } }
    }

    /// The tasks that wait are more than Swift has threads, and the write ends when this task lets it.
    @Test func whoWaitsHoldsNoThreadAndIsWrittenOnce() async throws {
        let (writer, device) = (CacheWriter(), Device())
        await withTaskGroup(of: Void.self) { group in
            func ask() {
                group.addTask { await writer.write(atLeast: device.change()) { device.write() } }
            }
            ask()
            while device.writes.withLock({ $0.isEmpty }) { await Task.yield() }
            for _ in 0..<64 { ask() }
            while device.newest < 65 { await Task.yield() }
            #expect(device.writes.withLock { $0 } == [1])
            device.end()
        }
        // All that changed meanwhile was written once.
        #expect(device.writes.withLock { $0 } == [1, 65])
    }
}
