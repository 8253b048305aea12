/// Keeps exchanges of HTTP/2 from opening a connection each.
///
/// libcurl opens another connection for every exchange that finds the others full or not yet open. So an exchange is handed
/// over only while a connection has room for it, or as the one that opens the next; the rest wait here. Where the server
/// turns out to speak HTTP/1.1, or is not reached, nobody waits any more. Used by the loop's thread only.
struct StreamGate {
    /// What exchanges have in common that can share a connection.
    struct Key: Hashable, Sendable {
        let authority: String
        let policy: String
    }

    fileprivate struct Group {
        /// Handed over, and without a connection.
        var pending: [ObjectIdentifier: Transfer] = [:]
        /// The first connection of each exchange that has one.
        var joined: [ObjectIdentifier: Int] = [:]
        /// How many exchanges each connection has, by its local port.
        var streams: [Int: Int] = [:]
        /// In the order in which they came; those that have ended on their way are skipped.
        var waiting: [Transfer] = []
        var isOpen = false

        var isEmpty: Bool { pending.isEmpty && joined.isEmpty && waiting.isEmpty }

        var admits: Bool {
            isOpen || pending.count < max(1, streams.values.reduce(0) { $0 + max(0, maximumStreams - $1) })
        }
    }

    /// How many exchanges share a connection at most: what servers are to allow at least (RFC 9113, section 6.5.2).
    static let maximumStreams = 100

    private var groups: [Key: Group] = [:]

    /// Whether an exchange is to be handed to libcurl at once; it waits otherwise.
    mutating func admits(_ transfer: Transfer) -> Bool {
        guard let key = transfer.gateKey else { return true }
        guard groups[key, default: Group()].admits else {
            groups[key, default: Group()].waiting.append(transfer)
            return false
        }
        groups[key, default: Group()].pending[ObjectIdentifier(transfer)] = transfer
        return true
    }

    /// Notes which exchanges have a connection now, and takes those that need not wait any more.
    mutating func next() -> [Transfer] {
        var next: [Transfer] = []
        for key in groups.keys {
            groups[key]?.noteConnections()
            groups[key]?.take(into: &next)
            // Those that waited may all have ended.
            if groups[key]?.isEmpty == true { groups[key] = nil }
        }
        return next
    }

    /// Notes that an exchange has ended, whether it waited or not.
    ///
    /// - Parameters:
    ///   - transfer: The exchange.
    ///   - isFailed: Whether it ended because something went wrong.
    mutating func leave(_ transfer: Transfer, isFailed: Bool) {
        guard let key = transfer.gateKey, var group = groups.removeValue(forKey: key) else { return }
        group.noteConnections()
        if group.pending.removeValue(forKey: ObjectIdentifier(transfer)) != nil {
            if isFailed { group.isOpen = true }
        } else if let port = group.joined.removeValue(forKey: ObjectIdentifier(transfer)),
            let count = group.streams[port]
        {
            // An exchange that libcurl has taken elsewhere shows that the connection takes no more.
            let hasMoved = unsafe transfer.connection?.localPort != port
            group.streams[port] = hasMoved || count == 1 ? nil : count - 1
        }
        if !group.isEmpty { groups[key] = group }
    }
}

extension StreamGate.Group {
    mutating func noteConnections() {
        for (id, transfer) in pending {
            guard let connection = unsafe transfer.connection else { continue }
            pending[id] = nil
            joined[id] = connection.localPort
            streams[connection.localPort, default: 0] += 1
            if !connection.isShared { isOpen = true }
        }
    }

    mutating func take(into next: inout [Transfer]) {
        var taken = 0
        while taken < waiting.count, admits {
            let transfer = waiting[taken]
            taken += 1
            guard !transfer.isFinished else { continue }
            pending[ObjectIdentifier(transfer)] = transfer
            next.append(transfer)
        }
        waiting.removeFirst(taken)
    }
}
