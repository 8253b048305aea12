import Locking

/// Numbers the requests of one interceptor, from 1, so that what is said of one can be put together.
final class RequestNumbers: Sendable {
    private let last = Mutex(0)

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
