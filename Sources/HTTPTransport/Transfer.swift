import CCurl
import Cryptography
import HTTPMessages
import Locking

/// One request on its way, from the call to its only outcome.
@safe final class Transfer: Sendable {
    private enum State {
        case idle
        case running(CheckedContinuation<HTTPResponse, any Error>)
        /// The caller has the head and reads the content.
        case streaming
        case finished
    }

    let target: RequestTarget
    /// The check of the server's keys; nil for plain HTTP.
    let pinning: PinCheck?
    let easy: EasyHandle
    /// Whether the request has content.
    let hasContent: Bool
    /// Whether the request may be sent again when the server may have acted on it (RFC 9110, section 9.2.2).
    let mayBeRepeated: Bool
    /// Whether the request was sent a second time after its connection or stream had broken; on the loop's thread.
    nonisolated(unsafe) var wasSentAgain = false
    /// Whether trailer fields are asked for.
    let acceptsTrailers: Bool
    /// Whether the exchange was ended because the request would have left once more; on the loop's thread.
    nonisolated(unsafe) var isRepeatRefused = false
    /// Whether the host is reached through a proxy.
    let usesProxy: Bool
    /// The content of the request, when it is not in memory.
    let upload: UploadBox?
    /// Whether the exchange ends with the TLS handshake, and nothing is sent after it.
    let isHandshakeOnly: Bool
    private let limits: TransferLimits
    let progress: ProgressReporter?
    /// What exchanges have in common that wait for each other.
    let gateKey: StreamGate.Key
    /// The connection, from when there is one; on the loop's thread.
    nonisolated(unsafe) var connection: StartedConnection?
    /// The sockets of the loop, from the start of the exchange; on the loop's thread.
    private(set) nonisolated(unsafe) var sockets: OpenSockets?
    /// Used by the loop's thread only, from the start of the exchange to its end.
    nonisolated(unsafe) let sink: ResponseSink
    private nonisolated(unsafe) var sentCount = 0
    /// What checks the connection, where its end is the content's too; it may have been opened for another exchange.
    private nonisolated(unsafe) var ending: ChainCheck?

    private let state = Mutex(State.idle)

    /// Prepares an exchange; nothing is sent yet.
    init(
        _ request: HTTPRequest,
        to authority: ParsedAuthority,
        policy: TLSPolicy?,
        configuration: CurlSession.Configuration,
        userAgent: HTTPField?,
        upload: UploadBox?,
        isHandshakeOnly: Bool = false
    ) throws(TransportError) {
        self.isHandshakeOnly = isHandshakeOnly
        target = request.target
        pinning = policy?.check
        mayBeRepeated = request.method.isIdempotent && request.body?.isReplayable != false
        acceptsTrailers = request.options.acceptsTrailers
        let proxy = configuration.proxy?.serving(request.target)
        usesProxy = proxy != nil
        gateKey = StreamGate.Key(
            request.target,
            through: proxy,
            policy: configuration.allowsHTTP2 ? policy?.tag : nil
        )
        self.upload = upload
        limits = try TransferLimits(request.options, configuration)
        let sink = ResponseSink(configuration: configuration, request: request)
        progress = request.options.progress.map { ProgressReporter($0, of: sink) }
        unsafe self.sink = sink
        let body = try Self.body(of: request)
        hasContent = body != nil || upload != nil
        let fields = try RequestFields.lines(
            for: request,
            hasContent: hasContent,
            contentLength: upload?.source.count ?? body?.count,
            userAgent: userAgent
        )
        easy = try EasyHandle(authority, fields: fields)
        try setUp(request, body: body, configuration: configuration)
        try setUp(proxy)
        try policy?.apply(to: easy)
        if isHandshakeOnly {
            try easy.set(CURLOPT_CONNECT_ONLY, 1)
            // A session that is resumed shows no certificates.
            try easy.set(CURLOPT_FRESH_CONNECT, 1)
            try easy.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        }
        sink.didReadHead = { [weak self] in
            guard let self else { return }
            if endsWithConnection { unsafe ending = easy.connectionCheck }
            startStreaming()
        }
    }

    /// Whether the outcome is known; the loop then has nothing to do for it.
    var isFinished: Bool {
        state.withLock { if case .finished = $0 { true } else { false } }
    }

    /// Takes the caller's continuation, or resumes it at once when the exchange was cancelled before.
    ///
    /// - Returns: Whether the exchange is to be started.
    func begin(_ continuation: CheckedContinuation<HTTPResponse, any Error>) -> Bool {
        progress?.progress.begin()
        let begins = state.withLock { state in
            guard case .idle = state else { return false }
            state = .running(continuation)
            return true
        }
        if !begins {
            progress?.progress.end()
            continuation.resume(throwing: CancellationError())
        }
        return begins
    }

    /// Gives the caller the outcome; only the first one counts.
    func finish(_ result: Result<HTTPResponse, any Error>) {
        let continuation: CheckedContinuation<HTTPResponse, any Error>? = state.withLock { state in
            defer { state = .finished }
            if case .running(let continuation) = state { return continuation }
            return nil
        }
        upload?.source.close()
        progress?.progress.end()
        channel?.finish(result.map { .init(trailers: $0.trailers, metrics: $0.metrics) })
        continuation?.resume(with: result)
    }

    /// Where the content of a streamed response goes.
    var channel: ResponseChannel? { unsafe sink.channel }

    /// Whether an announced length ends the content for libcurl.
    var isEndedByLength: Bool { unsafe sink.expectedLength != nil && !acceptsTrailers }

    private var endsWithConnection: Bool {
        unsafe target.isSecure && sink.head.endsWithConnection && !sink.isHeadRequest
    }

    /// Whether the content can have been cut, on the loop's thread.
    ///
    /// libcurl overlooks an end of the connection that TLS was not told of.
    var mayBeCut: Bool { unsafe endsWithConnection && ending?.isEndTold != true }

    /// Has libcurl tell the loop of the sockets that it opens and closes; on the loop's thread.
    func note(_ sockets: OpenSockets) throws(TransportError) {
        unsafe self.sockets = sockets
        try easy.set(sockets: sockets)
    }

    /// When the exchange will have taken too long, by what has come so far; on the loop's thread.
    var expiry: ContinuousClock.Instant? {
        noteSentContent()
        return unsafe limits.expiry(
            isSending: connection != nil,
            hasHead: sink.head.isComplete,
            isStreamed: channel != nil,
            lastActivity: sink.isPaused ? nil : sink.lastActivity
        )
    }

    /// Takes content that has gone since the last look for activity: libcurl tells of none that it holds itself.
    private func noteSentContent() {
        let count = easy.offset(CURLINFO_SIZE_UPLOAD_T)
        guard unsafe count > sentCount else { return }
        unsafe sentCount = count
        unsafe sink.lastActivity = .now
    }

    /// When to look at the limits again: not later than one of them can have passed.
    func nextCheck(after now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let silence = now + limits.idle
        return expiry.map { min($0, silence) } ?? silence
    }

    /// Lets the transfer go on, on the loop's thread: in both directions, or just in that of its content while the reader of
    /// the response lets it wait.
    ///
    /// - Returns: Why the exchange has to end, when what libcurl had kept cannot be taken.
    func resume() -> TransportError? {
        unsafe sink.lastActivity = .now
        let receives = channel?.isPaused != true
        // Before it, for it may give so much that the reader lets it wait again.
        if receives { unsafe sink.isPaused = false }
        let code = easy.resume(receives: receives)
        return [CURLE_OK, CURLE_BAD_FUNCTION_ARGUMENT].contains(code)
            ? nil : TransferFault.error(code, of: self)
    }

    /// Takes what libcurl has kept for a reader who lets it wait, on the loop's thread.
    ///
    /// libcurl 7.88 does not free that when the handle of a stream of HTTP/2 is removed.
    func giveUp() {
        guard unsafe !sink.isGivenUp else { return }
        unsafe sink.isGivenUp = true
        if channel != nil { _ = easy.resume(receives: true) }
    }

    /// The complete response, or nil when there was no final head; on the loop's thread.
    func response() -> HTTPResponse? {
        guard var response = unsafe sink.response() else { return nil }
        let firstByte = unsafe sink.startedAt.duration(to: sink.firstLineAt ?? sink.startedAt)
        response.metrics = HTTPTransferMetrics(of: easy, firstByte: firstByte)
        return response
    }

    /// Gives the caller of a streamed response its head.
    private func startStreaming() {
        guard channel != nil, let response = response() else { return }
        let continuation: CheckedContinuation<HTTPResponse, any Error>? = state.withLock { state in
            guard case .running(let continuation) = state else { return nil }
            state = .streaming
            return continuation
        }
        continuation?.resume(returning: response)
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
