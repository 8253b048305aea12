/// Which octets of a whole a response holds: the field `Content-Range` (RFC 9110, section 14.4), with a known total.
struct ContentRange {
    let first: Int
    let last: Int
    let total: Int

    /// Reads `bytes first-last/total`; nil for another unit or form, an unknown total, or a range that is not within it.
    init?(_ text: String) {
        guard text.prefix(6).lowercased() == "bytes " else { return nil }
        let halves = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, let total = Self.number(halves[1]) else { return nil }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, last < total
        else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }

    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
    }
}
