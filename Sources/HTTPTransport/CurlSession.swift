import Cryptography
import Glibc
public import HTTPMessages
import Locking

/// A session that sends requests over HTTP/1.1 and HTTP/2 with libcurl.
///
/// The fields of a request go on the wire as they are, in their order, after `Host` and before `Content-Length`;
/// nothing is added but these two, `User-Agent`, and what an option asks for: `Accept-Encoding`, `TE` with its `Connection`, and
/// `Transfer-Encoding` for a stream of unknown length. The target is sent as written. Redirects are not followed, cookies
/// not kept, content not decoded unless asked for, and proxies and credentials of the environment not used. Certificates and host names
/// are always checked, and on top of that the pins of the host. Connections are kept and used again.
///
/// A session has one thread. A call keeps the session alive, so one that is dropped ends after its last call.
public final class CurlSession: HTTPSession {
    private let configuration: Configuration
    private let userAgent: HTTPField?
    private let loop: TransferLoop
    private let authorities = ParsedAuthorities()
    private let tags: PolicyTags
    private let pins: Mutex<PinningPolicy>
    /// Loaded when the session is made, but for those of the system.
    private let store: TrustStore?

    /// Makes a session and starts its thread.
    ///
    /// - Throws: ``TransportError`` with code `invalidConfiguration`, or `internalError` when the thread cannot be
    ///   started.
    public init(configuration: Configuration = Configuration()) throws(TransportError) {
        try configuration.check()
        userAgent = try configuration.userAgentField()
        self.configuration = configuration
        pins = Mutex(configuration.pins)
        let usesSharedStore = configuration.trustRoots == .system && configuration.revocationLists == nil
        store =
            usesSharedStore
            ? nil
            : try TrustRootsLoader.load(
                configuration.trustRoots,
                revocationLists: configuration.revocationLists
            )
        tags = PolicyTags()
        loop = try TransferLoop(configuration: configuration)
    }

    /// Replaces the session's pins; requests that start after it go by the new ones.
    ///
    /// No connection and no TLS session made under other pins is used for them.
    public func setPins(_ policy: PinningPolicy) {
        pins.withLock { $0 = policy }
    }

    deinit {
        close()
    }

    /// Runs tasks on the session's own thread.
    ///
    /// A request of a task that prefers it crosses no thread, and requests that become ready together are sent together:
    ///
    ///     try await withTaskExecutorPreference(session.executor) {
    ///         for url in urls { handle(try await session.data(from: url)) }
    ///     }
    ///
    /// The children of such a task prefer it too; a `Task` of its own has to be told. It is for tasks that mostly wait for this
    /// session: while one computes, or an actor runs here that other tasks keep busy, all exchanges of the session stand still,
    /// and a task that blocks its thread until another request ends never goes on. After ``close()`` the tasks run where
    /// all others do.
    public var executor: any TaskExecutor { loop }

    /// Sends a request and waits for the whole response.
    ///
    /// `Host` may be given when it is the target's authority, `Content-Length` when it is the content's; other fields
    /// that frame the message or rule the connection are refused. A content that is empty is announced; without one,
    /// only POST, PUT and PATCH announce that there is none.
    ///
    /// When a connection that was kept is closed before any octet of the response, the request is sent again over another, as
    /// it is, if its method is idempotent and its content may leave twice (RFC 9110, section 9.2.2): once over HTTP/1.1, up to six
    /// times over HTTP/2, where servers end connections with streams that they have not begun with. Other requests fail with
    /// code `connectionClosed`, unless nothing of them was sent.
    ///
    /// - Throws: ``TransportError``, with code `invalidConfiguration` before anything is sent when a limit of time in the
    ///   request's options is not positive; or `CancellationError` when the task was cancelled, at once.
    public func data(for request: HTTPRequest) async throws -> HTTPResponse {
        // Whoever watches a request that is refused before it is sent must not wait for ever.
        request.options.progress?.begin()
        defer { request.options.progress?.end() }
        try Task.checkCancellation()
        let transfer = try Transfer(
            request,
            to: try authorities.authority(of: request.target),
            policy: try policy(for: request),
            configuration: configuration,
            userAgent: userAgent,
            upload: try UploadBox.make(request.body)
        )
        transfer.upload?.source.start { [loop, weak transfer] in
            if let transfer { loop.resume(transfer) }
        }
        defer {
            if let report = transfer.pinning?.report { configuration.pinningReporter?(report) }
        }
        var response = try await perform(transfer)
        response.stream = transfer.channel.map { HTTPByteStream(ResponseContent($0, of: transfer, in: self)) }
        return response
    }

    private func perform(_ transfer: Transfer) async throws -> HTTPResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if transfer.begin(continuation) { loop.start(transfer) }
            }
        } onCancel: {
            loop.cancel(transfer)
        }
    }

    /// Makes a TLS handshake with a server, over a connection of its own, and sends nothing after it.
    ///
    /// The chain is verified as for a request; pins do not count, so that they can be learned.
    ///
    /// - Parameter target: The server, by `https`; path and query do not matter.
    /// - Returns: What the server showed, also when it is not trusted.
    /// - Throws: ``TransportError`` when there was no handshake that showed certificates, or `CancellationError`.
    package func chain(of target: RequestTarget) async throws -> ServerChain {
        try Task.checkCancellation()
        var request = HTTPRequest(method: .get, target: target)
        request.options.isPinned = false
        guard let policy = try self.policy(for: request) else {
            throw TransportError(
                .unsupported,
                "a server shows certificates by https alone",
                host: target.host
            )
        }
        var configuration = configuration
        configuration.allowsHTTP2 = false
        let transfer = try Transfer(
            request,
            to: try authorities.authority(of: request.target),
            policy: policy,
            configuration: configuration,
            userAgent: nil,
            upload: nil,
            isHandshakeOnly: true
        )
        var distrust: TransportError?
        do {
            _ = try await perform(transfer)
        } catch let error as TransportError where error.code == .certificateNotTrusted {
            distrust = error
        } catch is HandshakeEnd {}
        guard let outcome = policy.check.chain.outcome, !outcome.certificates.isEmpty else {
            throw distrust
                ?? TransportError(.tlsFailed, "the server showed no certificates", host: target.host)
        }
        do throws(CryptographyError) {
            var certificates: [Certificate] = []
            for der in outcome.certificates { certificates.append(try Certificate(der: der)) }
            return ServerChain(certificates: certificates, distrust: distrust)
        } catch {
            throw TransportError(.tlsFailed, "a certificate of the server is malformed", host: target.host)
        }
    }

    func resume(_ transfer: Transfer) { loop.resume(transfer) }

    func cancel(_ transfer: Transfer) { loop.cancel(transfer) }

    /// What the connection for a request must fulfil; nil for plain HTTP.
    private func policy(for request: HTTPRequest) throws(TransportError) -> TLSPolicy? {
        let host = request.target.host
        var pins: PinSet?
        if request.options.isPinned {
            let policy = request.options.pins ?? self.pins.withLock { $0 }
            pins = policy.pins(for: host, at: Int64(time(nil)))
        }
        guard request.target.isSecure else {
            guard pins == nil || pins?.mode == .reportOnly else {
                throw TransportError(.pinningFailed, "a pinned host is reached by https alone", host: host)
            }
            if let pins {
                configuration.pinningReporter?(
                    PinningReport(
                        host: host,
                        expected: pins.pins,
                        chain: [],
                        isChainTrusted: false,
                        mode: .reportOnly
                    )
                )
            }
            return nil
        }
        let store =
            if let own = self.store { own } else { try TrustRootsLoader.load(.system, revocationLists: nil) }
        let identity = configuration.identity(for: host)
        let check = try PinCheck(host: host, pins: pins, store: store, identity: identity)
        return try TLSPolicy(
            check: check,
            configuration: configuration,
            tag: tags.tag(of: store, check.pins, identity)
        )
    }

    /// Closes all connections and waits until the thread has ended; a second call does nothing.
    ///
    /// Requests on their way, and those that come later, fail with code `sessionClosed`.
    public func close() {
        loop.close()
    }
}
