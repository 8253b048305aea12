import CCurl
import HTTPMessages

/// A connection that libcurl has for an exchange, seen before anything of the request is sent.
struct StartedConnection {
    /// Tells the connection from others of the session that are open.
    let localPort: Int
    /// Whether other exchanges can use it at the same time.
    let isShared: Bool
    /// Whether the request has to go over a new one: the server has sent something that nobody asked for, or the request was
    /// broken off already over one that had been kept, as this one was.
    ///
    /// What came unasked would be taken for the response (RFC 9112, section 9.2). Over TLS it may also be something of TLS itself,
    /// which comes with the first response of a connection and hardly ever later.
    let isUnfit: Bool

    private init(of transfer: Transfer, localPort: Int, ends: ConnectionEnds?) {
        self.localPort = localPort
        isShared = transfer.gateKey.mayShare && transfer.easy.isMultiplexed
        let wasKept = transfer.easy.number(CURLINFO_NUM_CONNECTS) == 0
        isUnfit =
            !isShared
            && (unsafe transfer.wasSentAgain && wasKept
                || ends.flatMap { unsafe transfer.sockets?.isDirty($0) } == true
                || transfer.easy.hasUnreadContent)
    }

    /// Ends the exchange when the connection will not do, or when the request must not leave a second time.
    static let callback: ccurl_start_callback = { context, peer, _, peerPort, localPort in
        guard let context = unsafe context else { return CURL_PREREQFUNC_ABORT }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        // libcurl itself sends a request again, up to five times, whose connection was closed before any of the response came,
        // or whose stream the server had not begun with.
        if let broken = unsafe transfer.connection, transfer.easy.number(CURLINFO_REQUEST_SIZE) > 0 {
            guard transfer.mayBeRepeated, unsafe broken.isShared || !transfer.wasSentAgain else {
                unsafe transfer.isRepeatRefused = true
                return CURL_PREREQFUNC_ABORT
            }
            unsafe transfer.wasSentAgain = transfer.wasSentAgain || !broken.isShared
        }
        let ends = unsafe ConnectionEnds(localPort: Int(localPort), peerPort: Int(peerPort), peer: peer)
        let connection = StartedConnection(of: transfer, localPort: Int(localPort), ends: ends)
        unsafe transfer.connection = connection
        unsafe transfer.sink.lastActivity = .now
        guard !connection.isUnfit else { return CURL_PREREQFUNC_ABORT }
        do throws(TransportError) {
            if connection.isShared { try prepareStream(of: transfer, over: connection) }
        } catch {
            return CURL_PREREQFUNC_ABORT
        }
        return CURL_PREREQFUNC_OK
    }

    private static func prepareStream(
        of transfer: Transfer,
        over connection: StartedConnection
    ) throws(TransportError) {
        // The end of the stream ends the content, so that trailer fields come before it: libcurl would be done at the last
        // octet that was announced. That the two agree is checked below libcurl, by nghttp2.
        if transfer.acceptsTrailers { try transfer.easy.set(CURLOPT_IGNORE_CONTENT_LENGTH, 1) }
        let isNew = transfer.easy.number(CURLINFO_NUM_CONNECTS) > 0
        if unsafe transfer.sockets?.isWorn(connection.localPort, isNew: isNew) == true {
            try transfer.easy.set(CURLOPT_FORBID_REUSE, 1)
        }
    }
}
