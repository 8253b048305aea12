import CCurl
import HTTPMessages

/// Lets libcurl's own parser read a target.
enum ParsedTarget {
    /// Parses the URL as libcurl does and makes sure that it means the same server.
    ///
    /// libcurl turns `127.1`, `0x7f.1` or `2130706433` into `127.0.0.1`, and shortens an IPv6 address; a policy for the
    /// host as written would not hold for the host that is connected to.
    ///
    /// - Returns: The parsed URL, to be freed by the caller.
    static func parse(_ target: RequestTarget) throws(TransportError) -> OpaquePointer {
        guard let url = unsafe curl_url() else {
            throw TransportError(.internalError, "there is no memory for the URL")
        }
        let flags = UInt32(CURLU_PATH_AS_IS | CURLU_DISALLOW_USER)
        let code = unsafe curl_url_set(url, CURLUPART_URL, target.absoluteString, flags)
        guard code == CURLUE_OK, unsafe part(CURLUPART_SCHEME, of: url, is: target.scheme),
            unsafe part(CURLUPART_HOST, of: url, is: target.host),
            unsafe part(CURLUPART_PORT, of: url, is: String(target.port))
        else {
            unsafe curl_url_cleanup(url)
            throw TransportError(
                .targetMismatch,
                "libcurl does not read the same scheme, host and port in the URL",
                host: target.host
            )
        }
        return unsafe url
    }

    /// Whether libcurl reads this part, without regard to the case of ASCII letters.
    private static func part(_ part: CURLUPart, of url: OpaquePointer, is expected: String) -> Bool {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(url, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK,
            let text = unsafe text
        else { return false }
        defer { unsafe curl_free(text) }
        return unsafe curl_strequal(text, expected) != 0
    }
}
