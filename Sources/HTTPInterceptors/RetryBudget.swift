import Locking

/// Bounds the retries of all requests together, so that an outage is not answered with a multiple of the load.
///
/// It is a bucket: each request puts a part of a retry in, each retry takes a whole one out. Over any time there are at
/// most that part of the requests as retries, and the reserve. Give one budget to all interceptors of one backend.
public final class RetryBudget: Sendable {
    private let percent: Int
    private let capacity: Int
    /// In hundredths of a retry, so that nothing is rounded.
    private let saved: Mutex<Int>

    /// Makes a budget that holds its reserve.
    ///
    /// - Parameters:
    ///   - percent: How many retries a hundred requests allow.
    ///   - reserve: How many retries there are before any request has been made.
    ///   - capacity: How many retries are saved at most, however long all goes well; at least the reserve.
    public init(percent: Int = 20, reserve: Int = 10, capacity: Int = 100) {
        // As many as nobody reaches, so that no sum overflows.
        let limit = 1 << 48
        self.percent = min(max(0, percent), limit)
        self.capacity = min(max(reserve, capacity, 0), limit) * 100
        saved = Mutex(min(max(0, reserve), limit) * 100)
    }

    /// Counts a request.
    func deposit() {
        saved.withLock { $0 = min($0 + percent, capacity) }
    }

    /// Takes one retry, or returns false when there is none.
    func withdraw() -> Bool {
        saved.withLock { saved in
            guard saved >= 100 else { return false }
            saved -= 100
            return true
        }
    }
}
