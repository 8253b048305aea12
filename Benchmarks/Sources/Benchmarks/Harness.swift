import Glibc

/// Runs the contenders of a benchmark in turns: A B C A B C …, so that whatever else happens on the machine happens to
/// all of them.
struct Harness {
    let rounds: Int
    /// How long one turn should last, in seconds.
    let turnLength: Double
    /// Whether only ours is run, for a profiler.
    let isAlone: Bool

    private static let mostOperations = 2_000_000

    func measure(_ benchmark: Benchmark, server: ServerAddress) async throws -> Row {
        var contenders = try await benchmark.contenders(server)
        if isAlone { contenders = Array(contenders.prefix(1)) }
        var counts: [Int] = []
        for contender in contenders {
            counts.append(try await warmUp(contender, from: benchmark.fewestOperations))
        }
        var turns = contenders.map { _ in [Turn]() }
        for _ in 0..<rounds {
            for (index, contender) in contenders.enumerated() {
                turns[index].append(try await turn(of: contender, operations: counts[index]))
            }
        }
        let entries = zip(contenders, turns).map { Row.Entry(name: $0.name, turns: $1) }
        return Row(name: benchmark.name, note: benchmark.note, entries: entries)
    }

    /// Opens connections, fills caches, and finds how many operations fill a turn.
    private func warmUp(_ contender: Contender, from fewest: Int) async throws -> Int {
        var operations = fewest
        while true {
            let turn = try await turn(of: contender, operations: operations)
            if turn.seconds >= turnLength / 2 || operations >= Self.mostOperations {
                return min(max(Int(turn.rate * turnLength), fewest), Self.mostOperations)
            }
            operations *= 2
        }
    }

    private func turn(of contender: Contender, operations: Int) async throws -> Turn {
        let start = try Self.processorSeconds()
        let duration = try await contender.run(operations)
        let processorSeconds = try Self.processorSeconds() - start
        return Turn(
            operations: operations,
            seconds: duration.inSeconds,
            processorSeconds: processorSeconds
        )
    }

    private static func processorSeconds() throws -> Double {
        var usage = rusage()
        guard unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage) == 0 else {
            throw BenchmarkError("the processor time cannot be read")
        }
        return [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
    }
}
