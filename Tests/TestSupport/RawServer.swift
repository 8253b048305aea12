import Glibc
import Locking

/// A server that answers every connection with the same octets, whatever HTTP says of them.
package final class RawServer: Sendable {
    /// What happens to a connection after the answer.
    package enum End: Sendable {
        case close, reset, keep
        /// It is closed when another request has come over it, which gets no answer.
        case closeAfterNext
    }

    private struct State {
        package var received: [String] = []
        var connections = 0
        var last: Int32 = -1
        /// The connection that the thread works on.
        var open: Int32?
    }

    private final class Shared: Sendable {
        let descriptor: Int32
        let answer: [UInt8]
        let end: End
        let reads: Bool
        /// How many octets come after the answer.
        let filler: Int
        let state = Mutex(State())

        init(descriptor: Int32, answer: [UInt8], end: End, reads: Bool, filler: Int) {
            self.filler = filler
            self.descriptor = descriptor
            self.answer = answer
            self.end = end
            self.reads = reads
        }
    }

    package let port: Int
    private let shared: Shared
    private let thread: pthread_t

    package init(
        _ answer: String = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        end: End = .close,
        reads: Bool = true,
        filler: Int = 0
    ) {
        signal(SIGPIPE, SIG_IGN)
        let (descriptor, port) = Self.listen(backlog: 100)
        self.port = port
        shared = Shared(
            descriptor: descriptor,
            answer: Array(answer.unicodeScalars.map { UInt8($0.value) }),
            end: end,
            reads: reads,
            filler: filler
        )
        var thread = pthread_t()
        unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    RawServer.run(unsafe Unmanaged<Shared>.fromOpaque(context).takeRetainedValue())
                }
                return nil
            },
            Unmanaged.passRetained(shared).toOpaque()
        )
        self.thread = thread
    }

    deinit {
        shutdown(shared.descriptor, Int32(SHUT_RDWR))
        // The thread may read from it, or write to it.
        shared.state.withLock { _ = $0.open.map { shutdown($0, Int32(SHUT_RDWR)) } }
        pthread_join(thread, nil)
        close(shared.descriptor)
    }

    package var url: String { "http://127.0.0.1:\(port)" }

    /// The requests as they came.
    package var received: [String] { shared.state.withLock { $0.received } }

    package var connections: Int { shared.state.withLock { $0.connections } }

    package static func listen(backlog: Int32) -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutableBytes(of: &address) { bytes in
            let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            _ = unsafe bind(descriptor, address, length)
            _ = Glibc.listen(descriptor, backlog)
            _ = unsafe getsockname(descriptor, address, &length)
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func run(_ shared: Shared) {
        var kept: [Int32] = []
        while case let connection = accept(shared.descriptor, nil, nil), connection >= 0 {
            shared.state.withLock { state in
                state.connections += 1
                (state.last, state.open) = (connection, connection)
            }
            let request = shared.reads ? read(connection) : ""
            if !request.isEmpty { shared.state.withLock { $0.received.append(request) } }
            _ = unsafe shared.answer.withUnsafeBytes {
                unsafe Glibc.write(connection, $0.baseAddress, $0.count)
            }
            fill(shared.filler, connection)
            if shared.end == .closeAfterNext {
                let next = read(connection)
                if !next.isEmpty { shared.state.withLock { $0.received.append(next) } }
            }
            shared.state.withLock { $0.open = nil }
            switch shared.end {
            case .keep: kept.append(connection)
            case .close, .closeAfterNext: close(connection)
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                let size = socklen_t(MemoryLayout<Glibc.linger>.size)
                _ = unsafe setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, size)
                close(connection)
            }
        }
        kept.forEach { close($0) }
    }

    private static func fill(_ filler: Int, _ connection: Int32) {
        let block = [UInt8](repeating: 0x66, count: 64 << 10)
        var left = filler
        while left > 0 {
            let count = unsafe block.withUnsafeBytes {
                unsafe Glibc.write(connection, $0.baseAddress, min(left, $0.count))
            }
            guard count > 0 else { return }
            left -= count
        }
    }

    /// Sends octets over the last connection, which must be one that is kept, although nobody asked for them.
    package func push(_ text: String) {
        let connection = shared.state.withLock { $0.last }
        let octets = Array(text.utf8)
        _ = unsafe octets.withUnsafeBytes { unsafe Glibc.write(connection, $0.baseAddress, $0.count) }
    }

    /// Waits until the client has left the last connection, which must be one that is kept.
    ///
    /// - Throws: ``NeverHappened`` when it does not leave.
    package func waitForDisconnection() async throws {
        let connection = shared.state.withLock { $0.last }
        let hasLeft = try await blocking {
            var entry = pollfd(fd: connection, events: Int16(0x2000), revents: 0)  // POLLRDHUP
            return unsafe poll(&entry, 1, 30_000) == 1 && entry.revents != 0
        }
        guard hasLeft else { throw NeverHappened() }
    }

    /// Reads a head, and a content if its length is announced.
    private static func read(_ connection: Int32) -> String {
        var bytes: [UInt8] = []
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let length = text[..<end.lowerBound].split(separator: "\r\n").first {
                    $0.hasPrefix("Content-Length: ")
                }
                let count = length.flatMap { Int($0.dropFirst(16)) } ?? 0
                if text[end.upperBound...].utf8.count >= count { return text }
            }
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe Glibc.read(connection, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return text }
            bytes += buffer[..<count]
        }
    }
}

extension StringProtocol {
    func range(of text: String) -> Range<Index>? { self.ranges(of: text).first }
}
