/// Elements that end, in whatever order they come, the earliest end first: a binary heap.
struct EndQueue<Element> {
    private var entries: [(end: Int64, element: Element)] = []

    mutating func add(_ element: Element, until end: Int64) {
        var place = entries.count
        entries.append((end, element))
        while place > 0, case let parent = (place - 1) / 2, entries[place].end < entries[parent].end {
            entries.swapAt(place, parent)
            place = parent
        }
    }

    /// Takes out the element that ends first, if it ended before a time.
    mutating func removeFirst(endedBefore time: Int64) -> Element? {
        guard let first = entries.first, first.end < time else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return first.element }
        entries[0] = last
        var place = 0
        while true {
            var least = place
            for child in 2 * place + 1...2 * place + 2
            where child < entries.count && entries[child].end < entries[least].end { least = child }
            guard least != place else { return first.element }
            entries.swapAt(place, least)
            place = least
        }
    }
}
