import CCurl
import HTTPMessages

/// A connection that libcurl has for an exchange, seen before anything of the request is sent.
struct StartedConnection {
    /// Tells the connection from others of the session that are open.
    let localPort: Int
    /// Whether other exchanges can use it at the same time.
    let isShared: Bool
    /// Whether the server has sent something that nobody asked for.
    ///
    /// The next request would take it for its response (RFC 9112, section 9.2). Over TLS it cannot be told from what TLS itself sends, and is the server's own doing.
    let isDirty: Bool

    private init(of transfer: Transfer, localPort: Int) {
        self.localPort = localPort
        isShared = transfer.gateKey != nil && transfer.easy.isMultiplexed
        isDirty = unsafe !transfer.target.isSecure && transfer.sockets?.isDirty(localPort) == true
    }

    /// Ends the exchange when the connection will not do.
    static let callback: ccurl_start_callback = { context, _, _, _, localPort in
        guard let context = unsafe context else { return CURL_PREREQFUNC_ABORT }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        let connection = StartedConnection(of: transfer, localPort: Int(localPort))
        unsafe transfer.connection = connection
        return connection.isDirty ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK
    }
}
