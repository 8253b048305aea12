import CCurl
import HTTPMessages

/// A server as libcurl's own parser reads it, without the path and query of a request.
///
/// libcurl copies it for each exchange and never changes it, so exchanges share it. What they ask the server for is told
/// apart from it, as written.
@safe final class ParsedAuthority: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer

    /// Parses the scheme, host and port of a target as libcurl does and makes sure that they mean the same server.
    ///
    /// libcurl turns `127.1`, `0x7f.1` or `2130706433` into `127.0.0.1`, and shortens an IPv6 address; a policy for the
    /// host as written would not hold for the host that is connected to.
    ///
    /// - Throws: ``TransportError`` with code `targetMismatch`.
    init(_ target: RequestTarget) throws(TransportError) {
        guard let url = unsafe curl_url() else {
            throw TransportError(.internalError, "there is no memory for the URL")
        }
        unsafe pointer = unsafe url
        let text = "\(target.scheme)://\(target.authority)/"
        guard unsafe curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
            has(CURLUPART_SCHEME, target.scheme), has(CURLUPART_HOST, target.host),
            has(CURLUPART_PORT, String(target.port))
        else {
            throw TransportError(
                .targetMismatch,
                "libcurl does not read the same scheme, host and port in the URL",
                host: target.host
            )
        }
    }

    deinit { unsafe curl_url_cleanup(pointer) }

    /// Whether libcurl reads this part, without regard to the case of ASCII letters.
    private func has(_ part: CURLUPart, _ expected: String) -> Bool {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(pointer, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK,
            let text = unsafe text
        else { return false }
        defer { unsafe curl_free(text) }
        return unsafe curl_strequal(text, expected) != 0
    }
}
