import CMicroHTTPD
import Glibc
import Locking

/// Ends connections whose client takes too long for a request, or to read an answer: the library's own limit is one of silence
/// alone.
///
/// A connection is known here while it is open. The library says that it is closed before it closes the socket, so that under
/// the lock the socket of a connection known here is its own.
final class RequestDeadlines: Sendable {
    private struct Reading {
        let socket: Int32
        /// When the time of the request or the answer is over; nil while the client is waited for by nobody.
        var end: ContinuousClock.Instant?
        /// Whether it was over before the request had come or the answer had gone, and the connection was shut down.
        var isOver = false
    }

    private struct State {
        /// By the address of the library's connection, which is compared only.
        var connections: [UInt: Reading] = [:]
        /// Looks after them while there are any.
        var watch: Task<Void, Never>?
    }

    private let limit: Duration
    private let responseLimit: Duration?
    private let state = Mutex(State())

    init(limit: Duration, responseLimit: Duration?) {
        self.limit = limit
        self.responseLimit = responseLimit
    }

    /// A connection was opened.
    func open(_ connection: OpaquePointer) {
        let reading = Reading(socket: unsafe cmhd_socket(connection), end: .now + limit)
        state.withLock { state in
            state.connections[UInt(bitPattern: connection)] = reading
            guard state.watch == nil else { return }
            state.watch = Task {
                while (try? await Task.sleep(until: endOverdue(), clock: .continuous)) != nil {}
            }
        }
    }

    /// The whole request has come, or what comes of it does not matter any more.
    ///
    /// - Returns: Whether it came in time; the client hears nothing more otherwise.
    func pause(_ connection: OpaquePointer) -> Bool { unsafe setEnd(nil, of: connection) }

    /// The answer goes to the client from now on.
    func answer(_ connection: OpaquePointer) {
        _ = unsafe setEnd(responseLimit.map { .now + $0 }, of: connection)
    }

    /// The next request may come, or has begun to come.
    func resume(_ connection: OpaquePointer) { _ = unsafe setEnd(.now + limit, of: connection) }

    /// A connection is closed, and its socket will be.
    func close(_ connection: OpaquePointer) {
        state.withLock { state in
            state.connections[UInt(bitPattern: connection)] = nil
            guard state.connections.isEmpty else { return }
            state.watch?.cancel()
            state.watch = nil
        }
    }

    private func setEnd(_ end: ContinuousClock.Instant?, of connection: OpaquePointer) -> Bool {
        let key = UInt(bitPattern: connection)
        return state.withLock { state in
            guard let reading = state.connections[key], !reading.isOver else { return false }
            state.connections[key]?.end = end
            return true
        }
    }

    /// Shuts the connections down whose time is over.
    ///
    /// - Returns: When to look again.
    private func endOverdue() -> ContinuousClock.Instant {
        state.withLock { state in
            let now = ContinuousClock.now
            // Nothing that begins from now on ends before that.
            var next = now + min(limit, responseLimit ?? limit)
            for (connection, reading) in state.connections {
                guard let end = reading.end else { continue }
                if end <= now {
                    // The library sees the end of the stream, and closes what it closes in that case.
                    shutdown(reading.socket, Int32(SHUT_RDWR))
                    state.connections[connection] = Reading(socket: reading.socket, isOver: true)
                } else {
                    next = min(next, end)
                }
            }
            return next
        }
    }
}
