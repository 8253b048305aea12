/// Values under keys, in the order in which the keys first came.
///
/// A field has few keys as a rule, and for those a walk along them is quicker than a hash. Beyond that an index keeps
/// the time for thousands of keys, which an attacker may send, in proportion to their number.
struct OrderedMap<Value: Sendable & Hashable>: Sendable {
    struct Entry: Sendable, Hashable {
        let key: String
        var value: Value
    }

    private static var largestWithoutIndex: Int { 16 }

    private(set) var entries: [Entry] = []
    /// The place of each key; nil while the entries are few.
    private var positions: [String: Int]?

    private func position(of key: String) -> Int? {
        if let positions { return positions[key] }
        return entries.firstIndex { $0.key == key }
    }

    subscript(key: String) -> Value? {
        get { position(of: key).map { entries[$0].value } }
        set {
            if let newValue { set(newValue, for: key) } else { remove(key) }
        }
    }

    /// Sets a value, in the place where the key stands already or else at the end; tells whether it stood.
    @discardableResult
    mutating func set(_ value: Value, for key: String) -> Bool {
        if let position = position(of: key) {
            entries[position].value = value
            return true
        }
        if entries.isEmpty { entries.reserveCapacity(4) }
        entries.append(Entry(key: key, value: value))
        if positions != nil {
            positions?[key] = entries.count - 1
        } else if entries.count > Self.largestWithoutIndex {
            indexEntries()
        }
        return false
    }

    private mutating func remove(_ key: String) {
        guard let position = position(of: key) else { return }
        entries.remove(at: position)
        positions = nil
        if entries.count > Self.largestWithoutIndex { indexEntries() }
    }

    private mutating func indexEntries() {
        var positions = [String: Int](minimumCapacity: entries.count * 2)
        for (position, entry) in entries.enumerated() { positions[entry.key] = position }
        self.positions = positions
    }
}

extension OrderedMap: Hashable {
    static func == (left: Self, right: Self) -> Bool { left.entries == right.entries }

    func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}
