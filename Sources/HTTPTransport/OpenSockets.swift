import CCurl
import Glibc
import HTTPMessages

/// The sockets that libcurl has opened, which it does not tell of when it uses one again.
///
/// Used by the loop's thread only.
final class OpenSockets {
    /// Not yet connected, so without a port; some never will be.
    ///
    /// The numbers of closed ones come again, so in a set there are never more than the process may have open.
    private var opened: Set<Int32> = []
    private var byPort: [Int: Int32] = [:]

    /// Whether the server has sent something over a connection that is used again, before it is asked anything.
    func isDirty(_ localPort: Int) -> Bool {
        // A number may belong to another socket by now, or to none.
        if let socket = byPort[localPort], Self.localPort(of: socket) == localPort {
            var octet: UInt8 = 0
            return unsafe recv(socket, &octet, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
        }
        byPort = byPort.filter { Self.localPort(of: $0.value) == $0.key }
        byPort[localPort] = opened.first { Self.localPort(of: $0) == localPort }
        opened = opened.filter { socket in Self.localPort(of: socket).map { $0 != localPort } ?? false }
        return false
    }

    private static func localPort(of socket: Int32) -> Int? {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let status = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            unsafe getsockname(socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
        }
        // The port stands at the same place in the addresses of both versions of IP.
        return status == 0 ? Int(UInt16(bigEndian: address.sin6_port)) : nil
    }

    static let callback: ccurl_socket_callback = { context, socket, _ in
        guard let context = unsafe context else { return CURL_SOCKOPT_ERROR }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        unsafe transfer.sockets?.opened.insert(socket)
        return CURL_SOCKOPT_OK
    }
}
