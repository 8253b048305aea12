import Glibc
import Locking
import TestSupport

/// Stands between a client and a server of this machine, keeps what the client says, and can break the connection.
final class Relay: Sendable {
    /// How a connection is broken.
    enum End: Sendable { case close, reset }

    private final class Shared: Sendable {
        let descriptor: Int32
        let target: Int
        let limit: Int
        let end: End
        let state = Mutex((sent: [[UInt8]](), isClosed: false))

        init(_ descriptor: Int32, _ target: Int, _ limit: Int, _ end: End) {
            self.descriptor = descriptor
            self.target = target
            self.limit = limit
            self.end = end
        }
    }

    let port: Int
    private let shared: Shared

    /// Starts to take connections.
    ///
    /// - Parameters:
    ///   - target: The server's port.
    ///   - limit: How many octets of the server the client gets before each connection is broken.
    ///   - end: How it is broken.
    init(to target: Int, cutAfter limit: Int = .max, by end: End = .close) {
        let (descriptor, port) = RawServer.listen(backlog: 100)
        self.port = port
        let shared = Shared(descriptor, target, limit, end)
        self.shared = shared
        signal(SIGPIPE, SIG_IGN)
        Task { try await blocking { Self.accept(shared) } }
    }

    deinit {
        shared.state.withLock { $0.isClosed = true }
        shutdown(shared.descriptor, Int32(SHUT_RDWR))
    }

    /// What the client sent, one element a connection.
    var sent: [[UInt8]] { shared.state.withLock { $0.sent } }

    /// What the client sent, as text.
    var text: String { sent.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n") }

    private static func accept(_ shared: Shared) {
        while case let client = Glibc.accept(shared.descriptor, nil, nil), client >= 0 {
            let number = shared.state.withLock { state in
                state.sent.append([])
                return state.sent.count - 1
            }
            Task { try await blocking { relay(client, number, shared) } }
        }
        close(shared.descriptor)
    }

    private static func relay(_ client: Int32, _ number: Int, _ shared: Shared) {
        defer { close(client) }
        guard let server = Loopback.connect(to: shared.target) else { return }
        defer { close(server) }
        var left = shared.limit
        while true {
            if left == 0 {
                if shared.end == .reset {
                    var linger = linger(l_onoff: 1, l_linger: 0)
                    let size = socklen_t(MemoryLayout<Glibc.linger>.size)
                    _ = unsafe setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, size)
                }
                return
            }
            var entries = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard unsafe poll(&entries, 2, 100) >= 0 else { return }
            if entries[0].revents != 0 {
                guard let bytes = read(client, .max) else { return }
                shared.state.withLock { $0.sent[number] += bytes }
                guard write(bytes, server) else { return }
            }
            if entries[1].revents != 0 {
                guard let bytes = read(server, left) else { return }
                left -= bytes.count
                guard write(bytes, client) else { return }
            }
            if shared.state.withLock({ $0.isClosed }) { return }
        }
    }

    private static func read(_ descriptor: Int32, _ limit: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: min(limit, 64 << 10))
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
        }
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    private static func write(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
