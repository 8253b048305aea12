/// The figures of one benchmark.
struct Row: Codable, Sendable {
    struct Entry: Codable, Sendable {
        let name: String
        let turns: [Turn]

        var rate: Double { turns.map(\.rate).median }
        var cost: Double { turns.map(\.cost).median }
    }

    /// How ours compares with one peer.
    struct Comparison: Codable, Sendable {
        let peer: String
        /// Our rate divided by the peer's, in each round.
        let ratios: [Double]
        let median: Double
        let minimum: Double
        let maximum: Double
    }

    let name: String
    let note: String?
    /// Ours first.
    let entries: [Entry]
    let comparisons: [Comparison]

    init(name: String, note: String?, entries: [Entry]) {
        self.name = name
        self.note = note
        self.entries = entries
        comparisons = entries.dropFirst().map { peer in
            let ratios = zip(entries[0].turns, peer.turns).map { $0.rate / $1.rate }
            return Comparison(
                peer: peer.name,
                ratios: ratios,
                median: ratios.median,
                minimum: ratios.min() ?? .nan,
                maximum: ratios.max() ?? .nan
            )
        }
    }
}
