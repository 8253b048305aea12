/// Finds what somebody may have meant.
enum Suggestion {
    /// The name with the fewest changes from a word, or nil when all are far from it.
    static func nearest(to word: String, among names: [String]) -> String? {
        let ranked = names.map { (name: $0, distance: distance(word, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.count / 3) || best.name.hasPrefix(word) && word.count > 1
            ? best.name : nil
    }

    /// The number of characters to insert, delete, replace or swap with their neighbour.
    static func distance(_ left: String, _ right: String) -> Int {
        let (a, b) = (Array(left.utf8.prefix(64)), Array(right.utf8.prefix(64)))
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                let change = rows[i][j] + (a[i] == b[j] ? 0 : 1)
                var best = min(change, rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
