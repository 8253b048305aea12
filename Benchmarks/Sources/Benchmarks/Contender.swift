/// One way to do a benchmark's work.
struct Contender: Sendable {
    let name: String
    /// Does the work so many times and returns how long that took.
    let run: @Sendable (_ operations: Int) async throws -> Duration
}

extension Contender {
    /// Work that is done so many times side by side, by as many tasks that each go on until their share is done.
    init(
        _ name: String,
        inFlight: Int,
        operation: @escaping @Sendable () async throws -> Void
    ) {
        self.init(name: name) { operations in
            let clock = ContinuousClock()
            let start = clock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<inFlight {
                    let share = operations / inFlight + (lane < operations % inFlight ? 1 : 0)
                    group.addTask { for _ in 0..<share { try await operation() } }
                }
                try await group.waitForAll()
            }
            return clock.now - start
        }
    }

    /// The same work in tasks that prefer an executor.
    func preferring(_ executor: any TaskExecutor) -> Contender {
        Contender(name: name) { operations in
            try await withTaskExecutorPreference(executor) { try await run(operations) }
        }
    }

    /// Work that waits for nothing.
    init(_ name: String, operation: @escaping @Sendable () throws -> Void) {
        self.init(name: name) { operations in
            let clock = ContinuousClock()
            let start = clock.now
            for _ in 0..<operations { try operation() }
            return clock.now - start
        }
    }
}
