/// Exchanges that wait, in the order in which they came; each can leave at any time, in constant time on average.
struct WaitingLine {
    private struct Place {
        let arrival: Int
        /// Nil once it has left.
        var transfer: Transfer?
    }

    private var places: [Place] = []
    private var indices: [ObjectIdentifier: Int] = [:]
    /// Where the first is that still waits.
    private var start = 0

    var isEmpty: Bool { indices.isEmpty }

    /// When the first came, as a number that grows.
    var firstArrival: Int? { isEmpty ? nil : places[start].arrival }

    mutating func append(_ transfer: Transfer, arrival: Int) {
        indices[ObjectIdentifier(transfer)] = places.count
        places.append(Place(arrival: arrival, transfer: transfer))
    }

    mutating func popFirst() -> Transfer? {
        guard !isEmpty, let first = places[start].transfer else { return nil }
        remove(first)
        return first
    }

    /// Returns whether the exchange waited.
    @discardableResult mutating func remove(_ transfer: Transfer) -> Bool {
        guard let index = indices.removeValue(forKey: ObjectIdentifier(transfer)) else { return false }
        places[index].transfer = nil
        while start < places.count, places[start].transfer == nil { start += 1 }
        // Each exchange is moved at most as often as others have left before.
        if places.count > 2 * indices.count + 32 { closeUp() }
        return true
    }

    private mutating func closeUp() {
        places.removeAll { $0.transfer == nil }
        start = 0
        for (index, place) in places.enumerated() {
            if let transfer = place.transfer { indices[ObjectIdentifier(transfer)] = index }
        }
    }
}
