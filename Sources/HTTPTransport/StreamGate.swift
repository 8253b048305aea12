/// Hands exchanges to libcurl only when none of them has to wait there.
///
/// libcurl 7.88 has one list of all exchanges that wait for a connection. The end of an exchange wakes the first of them alone,
/// even if it is one that cannot go on, so that a host that hangs would make the others wait. It also opens another
/// connection for every exchange that finds the others full or not yet open. So an exchange is handed over only while a
/// connection has room for it, or as the one that opens the next, within the limits of the session; the rest wait here, each
/// host by itself. Where the server turns out to speak HTTP/1.1, or is not reached, nobody waits for others to open a
/// connection any more. Used by the loop's thread only.
struct StreamGate {
    /// How many exchanges share a connection at most: what servers are to allow at least (RFC 9113, section 6.5.2).
    static let maximumStreams = 100

    private let hostLimit: Int
    private let limit: Int
    private var groups: [Key: Group] = [:]
    /// Those in which exchanges wait.
    private var crowded: Set<Key> = []
    /// Those in which exchanges may come to share a connection.
    private var connecting: Set<Key> = []
    /// How many connections each host has.
    private var connections: [String: Int] = [:]
    private var connectionCount = 0
    private var arrivalCount = 0
    /// Whether somebody who waits may have to wait no more.
    private var hasChanged = false

    /// - Parameters:
    ///   - hostLimit: How many connections a host may have.
    ///   - limit: How many there may be in all.
    init(hostLimit: Int, limit: Int) {
        (self.hostLimit, self.limit) = (hostLimit, limit)
    }

    /// Whether an exchange is to be handed to libcurl at once; it waits otherwise.
    mutating func admits(_ transfer: Transfer) -> Bool {
        let isFree = isFree(for: transfer.gateKey.host)
        arrivalCount += 1
        let arrival = arrivalCount
        return change(transfer.gateKey) { group in
            guard group.waiting.isEmpty, group.admits(isFree: isFree) else {
                group.waiting.append(transfer, arrival: arrival)
                return false
            }
            group.admit(transfer)
            return true
        }
    }

    /// Notes which exchanges have a connection now, and takes those that need not wait any more.
    mutating func next() -> [Transfer] {
        for key in connecting where change(key, { $0.noteConnections() }) {
            hasChanged = true
        }
        guard hasChanged else { return [] }
        hasChanged = false
        var next: [Transfer] = []
        while let key = nextKey() {
            let transfer = change(key) { group in
                let first = group.waiting.popFirst()
                if let first { group.admit(first) }
                return first
            }
            if let transfer { next.append(transfer) }
        }
        return next
    }

    /// Notes that an exchange has ended, whether it waited or not.
    ///
    /// - Parameters:
    ///   - transfer: The exchange.
    ///   - isFailed: Whether it ended because something went wrong.
    mutating func leave(_ transfer: Transfer, isFailed: Bool) {
        change(transfer.gateKey) { $0.remove(transfer, isFailed: isFailed) }
        hasChanged = true
    }

    private func isFree(for host: String) -> Bool {
        connectionCount < limit && connections[host, default: 0] < hostLimit
    }

    /// Where the one waits that came first of all that need not wait any more.
    private func nextKey() -> Key? {
        var next: (key: Key, arrival: Int)?
        for key in crowded {
            guard let group = groups[key], let arrival = group.waiting.firstArrival,
                next.map({ arrival < $0.arrival }) ?? true, group.admits(isFree: isFree(for: key.host))
            else { continue }
            next = (key, arrival)
        }
        return next?.key
    }

    /// Changes a group, and what is known of all with it.
    private mutating func change<Value>(_ key: Key, _ body: (inout Group) -> Value) -> Value {
        // Taken out, so that nothing is copied.
        var group = groups.removeValue(forKey: key) ?? Group(mayShare: key.mayShare)
        let old = (
            connections: group.connections, isPending: !group.pending.isEmpty, isEmpty: group.waiting.isEmpty
        )
        let value = body(&group)
        let change = group.connections - old.connections
        if change != 0 {
            connectionCount += change
            let count = connections[key.host, default: 0] + change
            connections[key.host] = count == 0 ? nil : count
        }
        if group.pending.isEmpty == old.isPending {
            if old.isPending { connecting.remove(key) } else { connecting.insert(key) }
        }
        if group.waiting.isEmpty != old.isEmpty {
            if old.isEmpty { crowded.insert(key) } else { crowded.remove(key) }
        }
        if !group.isEmpty { groups[key] = group }
        return value
    }
}
