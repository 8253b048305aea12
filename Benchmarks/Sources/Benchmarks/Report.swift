import Foundation

/// All figures of one run, and where they were taken.
struct Report: Codable {
    struct Machine: Codable {
        let processor: String
        let processors: Int
        let system: String
        /// The load average of the last minute before the run: other work makes all figures worse.
        let load: Double
    }

    let date: String
    let machine: Machine
    let server: String
    let rounds: Int
    let turnSeconds: Double
    var rows: [Row] = []

    init(harness: Harness) {
        date = Date.now.formatted(.iso8601)
        rounds = harness.rounds
        turnSeconds = harness.turnLength
        server = LoadServer.description
        machine = Machine(
            processor: Self.field("model name", of: "/proc/cpuinfo") ?? "unknown",
            processors: ProcessInfo.processInfo.activeProcessorCount,
            system: ProcessInfo.processInfo.operatingSystemVersionString,
            load: Self.text("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) } ?? .nan
        )
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        try encoder.encode(self).write(to: URL(filePath: path))
    }

    var heading: String {
        """
        \(date), \(machine.processors) x \(machine.processor), \(machine.system), load \(machine.load)
        server: \(server); \(rounds) rounds of \(turnSeconds) s a turn
        ratio: operations a second of ours divided by the peer's, round by round
        CPU: processor time of this process for one operation, in microseconds

        """ + Self.line("", "", "a second", "CPU µs", "median", "min", "max")
    }

    /// The lines of one benchmark: ours, then each peer with the ratio to it.
    static func lines(_ row: Row) -> String {
        var lines: [String] = []
        for (index, entry) in row.entries.enumerated() {
            let comparison = index > 0 ? row.comparisons[index - 1] : nil
            let ratios = comparison.map { [$0.median, $0.minimum, $0.maximum].map { decimal($0, 2) } }
            lines.append(
                line(
                    index == 0 ? row.name : "",
                    entry.name,
                    decimal(entry.rate, 0),
                    decimal(entry.cost, entry.cost < 10 ? 2 : 1),
                    ratios?[0] ?? "",
                    ratios?[1] ?? "",
                    ratios?[2] ?? ""
                )
            )
        }
        if let note = row.note { lines.append("    (\(note))") }
        return lines.joined(separator: "\n")
    }

    private static func line(_ name: String, _ contender: String, _ figures: String...) -> String {
        let columns = zip(figures, [11, 9, 9, 8, 8]).map { figure, width in
            String(repeating: " ", count: max(width - figure.count, 1)) + figure
        }
        return pad(name, 20) + pad(contender, 26) + columns.joined()
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 1))
    }

    private static func decimal(_ value: Double, _ digits: Int) -> String {
        value.formatted(.number.precision(.fractionLength(digits)).grouping(.never))
    }

    private static func text(_ path: String) -> String? {
        try? String(contentsOf: URL(filePath: path), encoding: .utf8)
    }

    private static func field(_ name: String, of path: String) -> String? {
        let line = text(path)?.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(separator: ":", maxSplits: 1).last?.trimmingCharacters(in: .whitespaces)
    }
}
