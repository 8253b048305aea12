import CCurl
import HTTPMessages

extension HTTPTransferMetrics {
    /// Reads what libcurl has measured of an exchange.
    ///
    /// - Parameters:
    ///   - easy: The exchange.
    ///   - firstByte: When the response began: with content to send, libcurl takes that time when it starts to send.
    init(of easy: EasyHandle, firstByte: Duration) {
        let time = { (info: CURLINFO) in Duration.microseconds(easy.offset(info)) }
        self.init(
            nameLookup: time(CURLINFO_NAMELOOKUP_TIME_T),
            connect: time(CURLINFO_CONNECT_TIME_T),
            secured: time(CURLINFO_APPCONNECT_TIME_T),
            firstByte: firstByte,
            total: time(CURLINFO_TOTAL_TIME_T),
            isConnectionReused: easy.number(CURLINFO_NUM_CONNECTS) == 0,
            protocolName: Self.name(ofVersion: easy.number(CURLINFO_HTTP_VERSION)),
            sentBytes: easy.offset(CURLINFO_SIZE_UPLOAD_T),
            receivedBytes: easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
        )
    }

    private static func name(ofVersion version: Int) -> String {
        switch version {
        case Int(CURL_HTTP_VERSION_1_0): "HTTP/1.0"
        case Int(CURL_HTTP_VERSION_2_0): "HTTP/2"
        default: "HTTP/1.1"
        }
    }
}
