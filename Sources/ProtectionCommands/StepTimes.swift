import Encodings
import Locking
import Timing

/// How long each step of a request took.
final class StepTimes: Sendable {
    private let time: TimeSource
    private let steps = Mutex<[(name: String, duration: Duration)]>([])

    init(_ time: TimeSource) {
        self.time = time
    }

    /// Runs a step and adds its time, whether or not it throws.
    func measure<Result>(_ name: String, _ step: () async throws -> Result) async rethrows -> Result {
        let start = time.uptime()
        defer { add(time.uptime() - start, to: name) }
        return try await step()
    }

    private func add(_ duration: Duration, to name: String) {
        steps.withLock { steps in
            if let index = steps.firstIndex(where: { $0.name == name }) {
                steps[index].duration += duration
            } else {
                steps.append((name, duration))
            }
        }
    }

    /// One line, in milliseconds.
    var text: String {
        steps.withLock { $0 }.map { "\($0.name) \(Self.milliseconds($0.duration)) ms" }.joined(
            separator: ", "
        )
    }

    var json: JSONValue {
        .array(
            steps.withLock { $0 }.map {
                ["step": .string($0.name), "microseconds": .integer(Self.microseconds($0.duration))]
            }
        )
    }

    private static func microseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = (microseconds(duration) + 50) / 100
        return "\(tenths / 10).\(tenths % 10)"
    }
}
