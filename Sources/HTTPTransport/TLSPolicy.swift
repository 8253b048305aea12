import CCurl

/// What a connection's certificate must fulfil.
///
/// It is decided for each request, and libcurl shares a connection only between requests whose options here are the
/// same.
struct TLSPolicy: Sendable {
    let trustRoots: CurlSession.TrustRoots

    /// Sets up a handle.
    func apply(to easy: borrowing EasyHandle) throws(TransportError) {
        try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
        try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        try easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // A directory of certificates keeps libcurl from loading the roots once for all connections.
        try easy.set(CURLOPT_CAPATH, text: nil)
        switch trustRoots {
        case .system: try easy.set(CURLOPT_CAINFO, text: CurlLibrary.systemRoots)
        case .file(let path): try easy.set(CURLOPT_CAINFO, text: path)
        case .pem(let bytes):
            try easy.set(CURLOPT_CAINFO, text: nil)
            try easy.set(CURLOPT_CAINFO_BLOB, blob: bytes)
        }
    }
}
