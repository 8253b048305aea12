/// The representations of a cache, in the order of their last use.
struct CacheEntries: Sendable {
    private let limits: ResponseCache.Limits
    private var entries: [String: CachedResponse] = [:]
    /// The keys, the one used last at the end.
    private var order: [String] = []
    private var size = 0

    init(limits: ResponseCache.Limits) {
        self.limits = limits
    }

    var count: Int { entries.count }

    /// All of them, the one used last at the end.
    var inOrder: [(String, CachedResponse)] {
        order.compactMap { key in entries[key].map { (key, $0) } }
    }

    /// An entry, which is then the one used last.
    mutating func use(_ key: String) -> CachedResponse? {
        guard let entry = entries[key] else { return nil }
        order.removeAll { $0 == key }
        order.append(key)
        return entry
    }

    @discardableResult mutating func remove(_ key: String) -> CachedResponse? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        order.removeAll { $0 == key }
        size -= entry.size
        return entry
    }

    /// Keeps an entry, lets go of those used longest ago until all is within the limits, and returns what it replaced.
    @discardableResult mutating func put(_ entry: CachedResponse, _ key: String) -> CachedResponse? {
        let former = remove(key)
        guard entry.size <= limits.octets, limits.count > 0 else { return former }
        entries[key] = entry
        order.append(key)
        size += entry.size
        while size > limits.octets || entries.count > limits.count, let oldest = order.first {
            remove(oldest)
        }
        return former
    }
}
