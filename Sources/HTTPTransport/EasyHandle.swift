import CCurl
import Cryptography

/// One exchange in libcurl, with the memory that it refers to.
///
/// It is made on the caller's thread, used on the loop's, and freed wherever its last owner lets go of it, never on two
/// at a time: the loop gives it up before it resumes the caller. It is not used for a second exchange, so nothing of
/// one request can be left over for the next.
@safe final class EasyHandle: Sendable {
    nonisolated(unsafe) let pointer: UnsafeMutableRawPointer
    private let authority: ParsedAuthority
    private let fields: FieldLines

    init(_ authority: ParsedAuthority, fields: FieldLines) throws(TransportError) {
        guard let pointer = unsafe curl_easy_init() else {
            throw TransportError(.internalError, "there is no memory for the exchange")
        }
        unsafe self.pointer = unsafe pointer
        self.authority = authority
        self.fields = fields
        unsafe try Self.check(ccurl_set_pointer(pointer, CURLOPT_CURLU, UnsafeRawPointer(authority.pointer)))
        unsafe try Self.check(ccurl_set_pointer(pointer, CURLOPT_HTTPHEADER, fields.first))
    }

    // libcurl refers to the others until the handle is gone; they are let go after it.
    deinit { unsafe curl_easy_cleanup(pointer) }

    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        unsafe try Self.check(ccurl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, text: String?) throws(TransportError) {
        guard let text else { return unsafe try Self.check(ccurl_set_text(pointer, option, nil)) }
        unsafe try Self.check(ccurl_set_text(pointer, option, text))
    }

    func set(_ option: CURLoption, blob: [UInt8]) throws(TransportError) {
        let code = unsafe blob.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return CURLE_BAD_FUNCTION_ARGUMENT }
            return unsafe ccurl_set_blob(pointer, option, start, bytes.count)
        }
        try Self.check(code)
    }

    /// Sets the content; libcurl copies it.
    func set(body: [UInt8]) throws(TransportError) {
        try set(CURLOPT_POST, 1)
        unsafe try Self.check(ccurl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
        let code = unsafe body.withUnsafeBytes { bytes in
            unsafe ccurl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
        }
        try Self.check(code)
        // libcurl takes a null pointer for no content at all.
        if body.isEmpty { try set(CURLOPT_COPYPOSTFIELDS, text: "") }
    }

    func set(_ option: CURLoption, callback: ccurl_data_callback) throws(TransportError) {
        unsafe try Self.check(ccurl_set_callback(pointer, option, callback))
    }

    /// Has libcurl read the content; libcurl frames it by its count, or in chunks when that is nil.
    func set(upload: UploadBox) throws(TransportError) {
        try set(CURLOPT_POST, 1)
        let count = curl_off_t(upload.source.count ?? -1)
        unsafe try Self.check(ccurl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, count))
        let context = unsafe Unmanaged.passUnretained(upload).toOpaque()
        unsafe try set(CURLOPT_READFUNCTION, callback: UploadCallbacks.read)
        unsafe try set(CURLOPT_READDATA, context: context)
        unsafe try Self.check(ccurl_set_seek_callback(pointer, UploadCallbacks.seek))
        unsafe try set(CURLOPT_SEEKDATA, context: context)
    }

    func set(progress: ProgressReporter) throws(TransportError) {
        try set(CURLOPT_NOPROGRESS, 0)
        unsafe try Self.check(ccurl_set_progress_callback(pointer, ProgressReporter.callback))
        unsafe try set(CURLOPT_XFERINFODATA, context: Unmanaged.passUnretained(progress).toOpaque())
    }

    /// Lets a transfer that stands still go on: in both directions, or in that of the request alone.
    ///
    /// What libcurl has kept comes within.
    ///
    /// - Returns: `CURLE_OK`, or `CURLE_BAD_FUNCTION_ARGUMENT` when there is no connection, on which nothing can stand still. With
    ///   any other code libcurl has forgotten what it had kept, and would go on as if that had not been.
    func resume(receives: Bool) -> CURLcode {
        unsafe curl_easy_pause(pointer, receives ? CURLPAUSE_CONT : CURLPAUSE_RECV)
    }

    func set(tlsCallback callback: ccurl_tls_callback) throws(TransportError) {
        unsafe try Self.check(ccurl_set_tls_callback(pointer, callback))
    }

    /// Has libcurl tell a transfer when it opens a socket, and when it has a connection.
    func set(startContext transfer: Transfer) throws(TransportError) {
        unsafe try Self.check(ccurl_set_socket_callback(pointer, OpenSockets.callback))
        unsafe try set(CURLOPT_SOCKOPTDATA, context: Unmanaged.passUnretained(transfer).toOpaque())
        unsafe try Self.check(ccurl_set_start_callback(pointer, StartedConnection.callback))
        unsafe try set(CURLOPT_PREREQDATA, context: Unmanaged.passUnretained(transfer).toOpaque())
    }

    /// Has libcurl tell when it closes the socket of a connection; they must live as long as the connection.
    func set(sockets: OpenSockets) throws(TransportError) {
        unsafe try Self.check(ccurl_set_close_callback(pointer, OpenSockets.closeCallback))
        unsafe try set(CURLOPT_CLOSESOCKETDATA, context: Unmanaged.passUnretained(sockets).toOpaque())
    }

    func set(_ option: CURLoption, context: UnsafeMutableRawPointer) throws(TransportError) {
        unsafe try Self.check(ccurl_set_pointer(pointer, option, context))
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return unsafe ccurl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        return unsafe ccurl_get_offset(pointer, info, &value) == CURLE_OK ? Int(value) : 0
    }

    /// Whether the connection in use is one of HTTP/2; on the loop's thread, within a callback of libcurl.
    var isMultiplexed: Bool {
        guard let session = unsafe ccurl_get_tls_session(pointer) else { return false }
        return unsafe ChainCheck.applicationProtocol(of: session) == Array("h2".utf8)
    }

    /// Whether TLS holds content of the connection in use that nobody has read; on the loop's thread, within a callback.
    var hasUnreadContent: Bool {
        guard let session = unsafe ccurl_get_tls_session(pointer) else { return false }
        return unsafe ChainCheck.hasUnreadContent(session)
    }

    /// What checks the connection in use; on the loop's thread, within a callback of libcurl.
    var connectionCheck: ChainCheck? {
        guard let session = unsafe ccurl_get_tls_session(pointer) else { return nil }
        return unsafe ChainCheck.check(of: session)
    }

    private static func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else {
            throw TransportError(
                .internalError,
                "libcurl refuses an option",
                curlCode: Int32(truncatingIfNeeded: code.rawValue)
            )
        }
    }
}
