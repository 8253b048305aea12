import CCurl

/// The library as a whole.
enum CurlLibrary {
    /// The outcome of the library's global initialisation, which happens once.
    static let initialization: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// The file of the system's trust roots that the library was built for.
    static let systemRoots: String = {
        guard let info = unsafe curl_version_info(CURLVERSION_SEVENTH), let path = unsafe info.pointee.cainfo
        else {
            return "/etc/ssl/certs/ca-certificates.crt"
        }
        return unsafe String(cString: path)
    }()
}
