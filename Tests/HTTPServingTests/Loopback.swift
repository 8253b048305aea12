import Glibc
import TestSupport

/// A TCP connection to a port of this machine, as bare as the tests need it.
final class Loopback: Sendable {
    struct Failure: Error {
        let step: String
        let number = errno
    }

    let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe connect(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
        }
        guard status == 0 else { throw Failure(step: "connect") }
        // A test that waits for ever says nothing.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    }

    deinit { close(descriptor) }

    func send(_ text: String) async throws {
        try await blocking { [self] in try sendNow(Array(text.utf8)) }
    }

    private func sendNow(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(step: "send") }
            sent += count
        }
    }

    /// Closes with a reset.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_LINGER,
            &linger,
            socklen_t(MemoryLayout<linger>.size)
        )
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// What comes until the peer closes, or until the text holds `end` so many times.
    func receive(until end: String? = nil, times: Int = 1) async throws -> String {
        try await blocking { [self] in try receiveNow(until: end, times: times) }
    }

    private func receiveNow(until end: String?, times: Int) throws -> String {
        var bytes: [UInt8] = []
        while true {
            if let end,
                String(decoding: bytes, as: UTF8.self).split(separator: end, omittingEmptySubsequences: false)
                    .count > times
            {
                break
            }
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
            }
            if count < 0, errno == ECONNRESET { break }
            guard count >= 0 else { throw Failure(step: "recv") }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// How many octets have come and were not received.
    var pendingCount: Int {
        var count: Int32 = 0
        return unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// One request on a connection of its own, answered until the server closes.
    static func exchange(_ text: String, port: Int) async throws -> String {
        let connection = try Loopback(port: port)
        try await connection.send(text)
        return try await connection.receive()
    }
}

/// Runs a command and returns what it wrote.
func output(of command: String) async throws -> String {
    try await blocking { try outputNow(of: command) }
}

private func outputNow(of command: String) throws -> String {
    guard let stream = unsafe popen(command, "r") else { throw Loopback.Failure(step: "popen") }
    defer { unsafe pclose(stream) }
    var bytes: [UInt8] = []
    while case let octet = unsafe getc(stream), octet != EOF {
        bytes.append(UInt8(truncatingIfNeeded: octet))
    }
    return String(decoding: bytes, as: UTF8.self)
}
