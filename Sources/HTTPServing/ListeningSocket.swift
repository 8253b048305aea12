// The system's socket types come in through the library's header.
import CMicroHTTPD
import Glibc

/// A bound, listening TCP socket.
///
/// The library owns the socket from the start of a daemon on, and closes it also when the start fails.
@safe struct ListeningSocket: ~Copyable {
    let descriptor: Int32
    let port: Int

    init(address: String, port: Int) throws(HTTPServerError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(address, String(port), &hints, &list) == 0, let info = unsafe list else {
            throw HTTPServerError(.invalidConfiguration, "the address is not an IPv4 or IPv6 address")
        }
        defer { unsafe freeaddrinfo(info) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let socket = unsafe Glibc.socket(info.pointee.ai_family, kind, 0)
        guard socket >= 0 else { throw Self.failure("no socket is to be had") }
        do throws(HTTPServerError) {
            var on: Int32 = 1
            guard
                unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
                    == 0
            else { throw Self.failure("the socket refuses an option") }
            guard unsafe bind(socket, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 else {
                throw Self.failure("the address and port cannot be bound")
            }
            guard listen(socket, SOMAXCONN) == 0 else { throw Self.failure("the socket cannot listen") }
            self.port = try Self.port(of: socket)
        } catch {
            _ = Glibc.close(socket)
            throw error
        }
        descriptor = socket
    }

    private static func port(of socket: Int32) throws(HTTPServerError) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            unsafe getsockname(socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
        }
        guard status == 0 else { throw failure("the socket has no name") }
        // sin_port and sin6_port lie at the same offset.
        return unsafe withUnsafeBytes(of: &storage) { bytes in
            Int(UInt16(bigEndian: unsafe bytes.load(fromByteOffset: 2, as: UInt16.self)))
        }
    }

    private static func failure(_ message: String) -> HTTPServerError {
        HTTPServerError(.bindFailed, message, errorNumber: errno)
    }
}

/// The text of a socket address.
enum SocketAddress {
    static func text(of address: UnsafePointer<sockaddr>?) -> String {
        guard let address = unsafe address else { return "" }
        let length: Int
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return ""
        }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            let status = unsafe getnameinfo(
                address,
                socklen_t(length),
                buffer.baseAddress,
                socklen_t(buffer.count),
                nil,
                0,
                NI_NUMERICHOST
            )
            guard status == 0, let text = buffer.baseAddress else { return "" }
            return unsafe String(cString: text)
        }
    }
}
