import CCurl
import Glibc
import HTTPMessages

/// The sockets that libcurl has opened, which it does not tell of when it uses one again.
///
/// Used by the loop's thread only.
final class OpenSockets {
    /// Not yet connected, so without a peer; some never will be, and libcurl does not tell when it closes those.
    ///
    /// The numbers of closed ones come again, so in a set there are never more than the process may have open.
    private var opened: Set<Int32> = []
    /// Those of connections, until libcurl closes them.
    private var connected: [ConnectionEnds: Int32] = [:]

    /// Whether the server has sent something over a connection that is used again, before it is asked anything.
    func isDirty(_ ends: ConnectionEnds) -> Bool {
        if let socket = connected[ends] {
            var octet: UInt8 = 0
            return unsafe recv(socket, &octet, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
        }
        connected[ends] = opened.first { ConnectionEnds(of: $0) == ends }
        opened = opened.filter { ConnectionEnds(of: $0) != ends }
        return false
    }

    /// How many streams of a connection libcurl has reset, by its local port.
    private var resets: [Int: Int] = [:]
    /// A server that limits resets, against CVE-2023-44487, allows for 1,000 at once (nghttp2).
    private static let maximumResets = 900

    /// Whether a connection of HTTP/2 is better closed when nobody uses it.
    func isWorn(_ localPort: Int, isNew: Bool) -> Bool {
        if isNew { resets[localPort] = nil }
        return resets[localPort, default: 0] >= Self.maximumResets
    }

    /// Notes a stream whose end libcurl 7.88 answers by RST_STREAM: every one that it does not end by a length.
    func noteReset(_ localPort: Int) { resets[localPort, default: 0] += 1 }

    private func forget(_ socket: Int32) {
        opened.remove(socket)
        if let ends = connected.first(where: { $0.value == socket })?.key { connected[ends] = nil }
    }

    static let closeCallback: ccurl_close_callback = { context, socket in
        if let context = unsafe context {
            unsafe Unmanaged<OpenSockets>.fromOpaque(context).takeUnretainedValue().forget(socket)
        }
        return close(socket)
    }

    static let callback: ccurl_socket_callback = { context, socket, _ in
        guard let context = unsafe context else { return CURL_SOCKOPT_ERROR }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        unsafe transfer.sockets?.opened.insert(socket)
        return CURL_SOCKOPT_OK
    }
}
