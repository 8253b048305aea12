import Glibc

/// Sockets of this machine.
package enum Loopback {
    /// Connects to a port.
    ///
    /// - Returns: The socket, to be closed by the caller; nil when nobody takes the connection.
    package static func connect(to port: Int) -> Int32? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = unsafe withUnsafeBytes(of: &address) { bytes in
            let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return unsafe Glibc.connect(descriptor, address, socklen_t(bytes.count)) == 0
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// A port that nobody listens on.
    package static func freePort() -> Int {
        let (descriptor, port) = RawServer.listen(backlog: 1)
        close(descriptor)
        return port
    }
}
