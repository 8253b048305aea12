/// What one contender did between two others.
struct Turn: Codable, Sendable {
    let operations: Int
    let seconds: Double
    /// What this process used on all its threads, in user and system mode; the server is another process.
    let processorSeconds: Double

    var rate: Double { Double(operations) / seconds }
    /// Microseconds of processor time an operation.
    var cost: Double { processorSeconds / Double(operations) * 1e6 }
}

extension Duration {
    var inSeconds: Double { self / .seconds(1) }
}

extension [Double] {
    /// The middle value; of an even number the mean of the middle two.
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
