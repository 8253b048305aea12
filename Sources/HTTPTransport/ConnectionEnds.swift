import Glibc

/// Both ends of a TCP connection, which tell it from every other that is open.
struct ConnectionEnds: Hashable {
    private let localPort: UInt16
    private let peerPort: UInt16
    /// The octets of the peer's address, those of version 4 with zeros behind them.
    private let peer: SIMD16<UInt8>

    /// Takes the ends as libcurl tells them; nil for an address that is none.
    init?(localPort: Int, peerPort: Int, peer: UnsafePointer<CChar>?) {
        guard let text = unsafe peer, let localPort = UInt16(exactly: localPort),
            let peerPort = UInt16(exactly: peerPort)
        else { return nil }
        let family = unsafe strchr(text, Int32(UInt8(ascii: ":"))) == nil ? AF_INET : AF_INET6
        var address = SIMD16<UInt8>()
        guard unsafe inet_pton(family, text, &address) == 1 else { return nil }
        (self.localPort, self.peerPort, self.peer) = (localPort, peerPort, address)
    }

    /// Asks the system for the ends of a socket; nil when it is not connected.
    init?(of socket: Int32) {
        guard let local = unsafe Self.address(of: socket, getsockname),
            let peer = unsafe Self.address(of: socket, getpeername)
        else { return nil }
        // The port stands at the same place in the addresses of both versions of IP.
        localPort = UInt16(bigEndian: local.sin6_port)
        peerPort = UInt16(bigEndian: peer.sin6_port)
        let isIPv4 = peer.sin6_family == sa_family_t(AF_INET)
        self.peer = unsafe withUnsafeBytes(of: peer) { bytes in
            var address = SIMD16<UInt8>()
            let start = isIPv4 ? 4 : 8
            for place in 0..<(isIPv4 ? 4 : 16) { address[place] = unsafe bytes[start + place] }
            return address
        }
    }

    private static func address(
        of socket: Int32,
        _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> sockaddr_in6? {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let status = unsafe withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -1 }
            return unsafe name(socket, start.assumingMemoryBound(to: sockaddr.self), &size)
        }
        return status == 0 ? address : nil
    }
}
