import CCurl
import Cryptography
import HTTPMessages

/// What a connection must fulfil; it is decided for each request.
struct TLSPolicy: Sendable {
    let check: PinCheck
    let minimumVersion: CurlSession.TLSVersion
    let requiresStapledStatus: Bool
    /// A hash of what it demands.
    let tag: String

    init(
        check: PinCheck,
        configuration: CurlSession.Configuration,
        tag: String
    ) {
        self.check = check
        minimumVersion = configuration.minimumTLSVersion
        requiresStapledStatus = configuration.requiresStapledStatus
        self.tag = tag
    }

    /// Sets up a handle.
    ///
    /// libcurl shares a connection only between requests whose options are the same, and the
    /// function that checks the chain is none of them. So the hash of the policy stands in the one option that takes
    /// any text and does nothing without files: the directory of trust roots. After a change of the pins nothing made
    /// under the old ones fits. TLS sessions are not resumed at all: libcurl keeps them by handle, and a handle is used once.
    func apply(to easy: borrowing EasyHandle) throws(TransportError) {
        try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
        try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        try easy.set(
            CURLOPT_SSLVERSION,
            Int(minimumVersion == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2)
        )
        if requiresStapledStatus { try easy.set(CURLOPT_SSL_VERIFYSTATUS, 1) }
        try easy.set(CURLOPT_CAINFO, text: nil)
        try easy.set(CURLOPT_CAPATH, text: "/dev/null/tls-policy-\(tag)")
        unsafe try easy.set(tlsCallback: Self.callback)
        // The transfer owns the check for as long as libcurl has the handle, and then the TLS context does.
        unsafe try easy.set(
            CURLOPT_SSL_CTX_DATA,
            context: Unmanaged.passUnretained(check.chain).toOpaque()
        )
    }

    private static let callback: ccurl_tls_callback = { _, tlsContext, context in
        guard let tlsContext = unsafe tlsContext, let context = unsafe context else {
            return CURLE_ABORTED_BY_CALLBACK
        }
        let check = unsafe Unmanaged<ChainCheck>.fromOpaque(context).takeUnretainedValue()
        return unsafe check.install(on: tlsContext) ? CURLE_OK : CURLE_ABORTED_BY_CALLBACK
    }
}
