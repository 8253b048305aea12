extension StreamGate {
    /// The exchanges of one key.
    struct Group {
        /// Handed over, may share a connection, and have none yet.
        private(set) var pending: [ObjectIdentifier: Transfer] = [:]
        /// Handed over, with a connection each that nobody shares.
        private var alone: Set<ObjectIdentifier> = []
        /// The first connection of each exchange that shares one.
        private var joined: [ObjectIdentifier: Int] = [:]
        /// How many exchanges each shared connection has, by its local port.
        private var streams: [Int: Int] = [:]
        var waiting = WaitingLine()
        private let mayShare: Bool
        /// Whether there is nothing to hope for from waiting for others.
        private var isOpen: Bool

        init(mayShare: Bool) {
            self.mayShare = mayShare
            isOpen = !mayShare
        }

        var isEmpty: Bool { pending.isEmpty && alone.isEmpty && joined.isEmpty && waiting.isEmpty }

        /// How many more exchanges the shared connections take.
        private var room: Int { streams.values.reduce(0) { $0 + max(0, maximumStreams - $1) } }

        /// How many connections the exchanges have, or are about to open.
        var connections: Int { streams.count + alone.count + max(0, pending.count - room) }

        /// Whether one more exchange need not wait.
        ///
        /// - Parameter isFree: Whether there may be another connection.
        /// - Returns: Whether a connection has room for it, or it may open one.
        func admits(isFree: Bool) -> Bool {
            pending.count < room || isFree && (isOpen || pending.isEmpty)
        }

        mutating func admit(_ transfer: Transfer) {
            if mayShare {
                pending[ObjectIdentifier(transfer)] = transfer
            } else {
                alone.insert(ObjectIdentifier(transfer))
            }
        }

        /// Notes which exchanges have a connection now.
        ///
        /// - Returns: Whether there are any that had none before.
        @discardableResult mutating func noteConnections() -> Bool {
            let count = pending.count
            for (id, transfer) in pending {
                guard let connection = unsafe transfer.connection else { continue }
                pending[id] = nil
                if connection.isShared {
                    joined[id] = connection.localPort
                    streams[connection.localPort, default: 0] += 1
                } else {
                    alone.insert(id)
                    isOpen = true
                }
            }
            return pending.count < count
        }

        mutating func remove(_ transfer: Transfer, isFailed: Bool) {
            noteConnections()
            let id = ObjectIdentifier(transfer)
            guard !waiting.remove(transfer), alone.remove(id) == nil else { return }
            if pending.removeValue(forKey: id) != nil {
                if isFailed { isOpen = true }
            } else if let port = joined.removeValue(forKey: id), let count = streams[port] {
                // An exchange that libcurl has taken elsewhere shows that the connection takes no more.
                let hasMoved = unsafe transfer.connection?.localPort != port
                streams[port] = hasMoved || count == 1 ? nil : count - 1
            }
        }
    }
}
