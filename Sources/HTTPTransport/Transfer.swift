import CCurl
import HTTPMessages
import Locking

/// One request on its way, from the call to its only outcome.
@safe final class Transfer: Sendable {
    private enum State {
        case idle
        case running(CheckedContinuation<HTTPResponse, any Error>)
        case finished
    }

    let target: RequestTarget
    /// The check of the server's keys; nil for plain HTTP.
    let pinning: PinCheck?
    let easy: EasyHandle
    let deadline: ContinuousClock.Instant
    /// Used by the loop's thread only, from the start of the exchange to its end.
    nonisolated(unsafe) let sink: ResponseSink

    private let state = Mutex(State.idle)

    /// Prepares an exchange; nothing is sent yet.
    init(
        _ request: HTTPRequest,
        policy: TLSPolicy?,
        configuration: CurlSession.Configuration,
        userAgent: HTTPField?
    ) throws(TransportError) {
        target = request.target
        pinning = policy?.check
        deadline = .now + (request.options.timeout ?? configuration.timeout)
        unsafe sink = ResponseSink(configuration: configuration, isHeadRequest: request.method == .head)
        let body = try Self.body(of: request)
        let fields = unsafe try RequestFields.list(
            for: request,
            contentLength: body?.count,
            userAgent: userAgent
        )
        let url: OpaquePointer
        do throws(TransportError) {
            unsafe url = unsafe try ParsedTarget.parse(request.target)
        } catch {
            unsafe curl_slist_free_all(fields)
            throw error
        }
        easy = unsafe try EasyHandle(adopting: url, fields: fields)
        try setUp(request, body: body, configuration: configuration)
        try policy?.apply(to: easy)
    }

    /// Whether the outcome is known; the loop then has nothing to do for it.
    var isFinished: Bool {
        state.withLock { if case .finished = $0 { true } else { false } }
    }

    /// Takes the caller's continuation, or resumes it at once when the exchange was cancelled before.
    ///
    /// - Returns: Whether the exchange is to be started.
    func begin(_ continuation: CheckedContinuation<HTTPResponse, any Error>) -> Bool {
        let begins = state.withLock { state in
            guard case .idle = state else { return false }
            state = .running(continuation)
            return true
        }
        if !begins { continuation.resume(throwing: CancellationError()) }
        return begins
    }

    /// Gives the caller the outcome; only the first one counts.
    func finish(_ result: Result<HTTPResponse, any Error>) {
        let continuation: CheckedContinuation<HTTPResponse, any Error>? = state.withLock { state in
            defer { state = .finished }
            if case .running(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(with: result)
    }

    /// The content that is framed: POST, PUT and PATCH announce an empty one where there is none (RFC 9110, section 8.6).
    private static func body(of request: HTTPRequest) throws(TransportError) -> [UInt8]? {
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

    private func setUp(
        _ request: HTTPRequest,
        body: [UInt8]?,
        configuration: CurlSession.Configuration
    ) throws(TransportError) {
        guard request.method.rawValue != "CONNECT" else {
            throw TransportError(.unsupported, "CONNECT is not a request to an origin", host: target.host)
        }
        if let body { try easy.set(body: body) }
        if request.method == .head {
            try easy.set(CURLOPT_NOBODY, 1)
        } else if request.method != (body == nil ? .get : .post) {
            try easy.set(CURLOPT_CUSTOMREQUEST, text: request.method.rawValue)
        }
        try easy.set(CURLOPT_REQUEST_TARGET, text: target.originForm)
        try easy.set(CURLOPT_PATH_AS_IS, 1)
        try easy.set(CURLOPT_PROTOCOLS_STR, text: target.scheme)
        try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        // An empty proxy also keeps libcurl from looking for one in the environment.
        try easy.set(CURLOPT_PROXY, text: "")
        try easy.set(CURLOPT_NOSIGNAL, 1)
        try easy.set(CURLOPT_QUICK_EXIT, 1)
        try easy.set(CURLOPT_TCP_KEEPALIVE, 1)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
        try easy.set(CURLOPT_MAXAGE_CONN, Int(configuration.maximumIdleAge.components.seconds))
        unsafe try easy.set(CURLOPT_HEADERFUNCTION, callback: ResponseSink.headerCallback)
        unsafe try easy.set(CURLOPT_WRITEFUNCTION, callback: ResponseSink.bodyCallback)
        // The loop owns this object, and with it the sink, for as long as libcurl has the handle.
        let context = unsafe Unmanaged.passUnretained(sink).toOpaque()
        unsafe try easy.set(CURLOPT_HEADERDATA, context: context)
        unsafe try easy.set(CURLOPT_WRITEDATA, context: context)
        unsafe try easy.set(CURLOPT_PRIVATE, context: Unmanaged.passUnretained(self).toOpaque())
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, at most a number that libcurl can hold.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 1 << 31 else { return Int(Int32.max) }
        let fraction = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int(min(seconds * 1000 + fraction, Int64(Int32.max)))
    }
}
