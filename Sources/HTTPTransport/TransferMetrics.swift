import CCurl
import HTTPMessages

extension HTTPTransferMetrics {
    /// Reads what libcurl has measured of an exchange.
    init(of easy: EasyHandle) {
        let time = { (info: CURLINFO) in Duration.microseconds(easy.offset(info)) }
        self.init(
            nameLookup: time(CURLINFO_NAMELOOKUP_TIME_T),
            connect: time(CURLINFO_CONNECT_TIME_T),
            secured: time(CURLINFO_APPCONNECT_TIME_T),
            firstByte: time(CURLINFO_STARTTRANSFER_TIME_T),
            total: time(CURLINFO_TOTAL_TIME_T),
            isConnectionReused: easy.number(CURLINFO_NUM_CONNECTS) == 0,
            protocolName: easy.number(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0)
                ? "HTTP/2" : "HTTP/1.1",
            sentBytes: easy.offset(CURLINFO_SIZE_UPLOAD_T),
            receivedBytes: easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
        )
    }
}
