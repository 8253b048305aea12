import CCurl
import HTTPMessages

extension Transfer {
    private static let acceptEncoding: HTTPField.Name = "Accept-Encoding"

    /// The content that is framed: POST, PUT and PATCH announce an empty one where there is none (RFC 9110, section 8.6).
    static func body(of request: HTTPRequest) throws(TransportError) -> [UInt8]? {
        if let body = request.body {
            guard request.method != .head else {
                throw TransportError(
                    .unsupported,
                    "a HEAD request has no content",
                    host: request.target.host
                )
            }
            return body.bytes
        }
        return [.post, .put, .patch].contains(request.method) ? [] : nil
    }

    func setUp(
        _ request: HTTPRequest,
        body: [UInt8]?,
        configuration: CurlSession.Configuration
    ) throws(TransportError) {
        guard request.method.rawValue != "CONNECT" else {
            throw TransportError(.unsupported, "CONNECT is not a request to an origin", host: target.host)
        }
        if let upload {
            try easy.set(upload: upload)
        } else if let body {
            try easy.set(body: body)
        }
        if let progress { try easy.set(progress: progress) }
        if request.method == .head {
            try easy.set(CURLOPT_NOBODY, 1)
        } else if request.method != (body == nil && upload == nil ? .get : .post) {
            try easy.set(CURLOPT_CUSTOMREQUEST, text: request.method.rawValue)
        }
        try easy.set(CURLOPT_PATH_AS_IS, 1)
        try easy.set(CURLOPT_PROTOCOLS_STR, text: target.scheme)
        try easy.set(
            CURLOPT_HTTP_VERSION,
            Int(gateKey.mayShare ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        )
        if configuration.decodesContent, !request.fields.contains(Self.acceptEncoding) {
            try easy.set(CURLOPT_ACCEPT_ENCODING, text: "")
        } else if channel != nil {
            // Each piece of a stream may wake its reader, so pieces are larger than libcurl makes them (16 KiB). What it
            // decodes from one is large without, and may be kept in memory as a whole.
            try easy.set(CURLOPT_BUFFERSIZE, 64 << 10)
        }
        try easy.set(CURLOPT_NOSIGNAL, 1)
        try easy.set(CURLOPT_QUICK_EXIT, 1)
        try easy.set(CURLOPT_TCP_KEEPALIVE, 1)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
        try easy.set(CURLOPT_MAXAGE_CONN, Int(configuration.maximumIdleAge.components.seconds))
        try easy.set(
            CURLOPT_MAXLIFETIME_CONN,
            Int(configuration.maximumConnectionLifetime?.components.seconds ?? 0)
        )
        unsafe try easy.set(CURLOPT_HEADERFUNCTION, callback: ResponseSink.headerCallback)
        unsafe try easy.set(CURLOPT_WRITEFUNCTION, callback: ResponseSink.bodyCallback)
        // The loop owns this object, and with it the sink, for as long as libcurl has the handle.
        let context = unsafe Unmanaged.passUnretained(sink).toOpaque()
        try easy.set(startContext: self)
        unsafe try easy.set(CURLOPT_HEADERDATA, context: context)
        unsafe try easy.set(CURLOPT_WRITEDATA, context: context)
        unsafe try easy.set(CURLOPT_PRIVATE, context: Unmanaged.passUnretained(self).toOpaque())
    }

    /// An empty proxy also keeps libcurl from looking for one in the environment.
    func setUp(_ proxy: Proxy?) throws(TransportError) {
        try easy.set(CURLOPT_PROXY, text: proxy?.url ?? "")
        try easy.set(CURLOPT_NOPROXY, text: "")
        // A proxy for plain HTTP is told the whole URL (RFC 9112, section 3.2.2).
        let tellsURL = proxy?.kind == .http && !target.isSecure
        try easy.set(
            CURLOPT_REQUEST_TARGET,
            text: tellsURL ? target.scheme + "://" + target.authority + target.originForm : target.originForm
        )
        guard let proxy else { return }
        try easy.set(CURLOPT_PROXYUSERNAME, text: proxy.user)
        try easy.set(CURLOPT_PROXYPASSWORD, text: proxy.password)
        // What is meant for the server is not shown to the proxy, nor its answer taken for the server's.
        try easy.set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }
}
