import Locking
import Testing

@Suite("Mutex") struct MutexTests {
    private final class Counter: Sendable {
        let value = Mutex(0)
    }

    @Test func noCountIsLost() async {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10_000 { counter.value.withLock { $0 += 1 } }
                }
            }
        }
        #expect(counter.value.withLock { $0 } == 80_000)
    }

    @Test func aTakenLockIsNotAvailable() {
        let counter = Counter()
        counter.value.withLock { _ in #expect(counter.value.withLockIfAvailable { $0 } == nil) }
        #expect(counter.value.withLockIfAvailable { $0 } == 0)
    }

    @Test func anErrorOpensTheLock() {
        struct Stop: Error {}
        let counter = Counter()
        #expect(throws: Stop.self) { try counter.value.withLock { _ throws(Stop) in throw Stop() } }
        #expect(counter.value.withLockIfAvailable { $0 } == 0)
    }
}
