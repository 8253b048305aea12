import Cryptography
import Glibc
public import HTTPMessages
import Locking

/// A session that sends requests over HTTP/1.1 and HTTP/2 with libcurl.
///
/// The fields of a request go on the wire as they are, in their order, after `Host` and before `Content-Length`;
/// nothing is added but these two and `User-Agent`. The target is sent as written. Redirects are not followed, cookies
/// not kept, content not decoded unless asked for, and proxies and credentials of the environment not used. Certificates and host names
/// are always checked, and on top of that the pins of the host. Connections are kept and used again.
///
/// A session has one thread. A call keeps the session alive, so one that is dropped ends after its last call.
public final class CurlSession: HTTPSession {
    private let configuration: Configuration
    private let userAgent: HTTPField?
    private let loop: TransferLoop
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

    /// Sends a request and waits for the whole response.
    ///
    /// `Host` may be given when it is the target's authority, `Content-Length` when it is the content's; other fields
    /// that frame the message or rule the connection are refused. A content that is empty is announced; without one,
    /// only POST, PUT and PATCH announce that there is none.
    ///
    /// - Throws: ``TransportError``, or `CancellationError` when the task was cancelled, at once.
    public func data(for request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let transfer = try Transfer(
            request,
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
        var response = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if transfer.begin(continuation) { loop.start(transfer) }
            }
        } onCancel: {
            loop.cancel(transfer)
        }
        response.stream = transfer.channel.map { HTTPByteStream(ResponseContent($0, of: transfer, in: self)) }
        return response
    }

    func resume(_ transfer: Transfer) { loop.resume(transfer) }

    func cancel(_ transfer: Transfer) { loop.cancel(transfer) }

    /// What the connection for a request must fulfil; nil for plain HTTP.
    private func policy(for request: HTTPRequest) throws(TransportError) -> TLSPolicy? {
        let host = request.target.host
        var pins: PinSet?
        if request.options.isPinned {
            pins = (request.options.pins ?? self.pins.withLock { $0 }).pins(for: host)
        }
        if let end = pins?.expiresAt, Int64(time(nil)) >= end { pins = nil }
        guard request.target.isSecure else {
            guard pins == nil || pins?.mode == .reportOnly else {
                throw TransportError(.pinningFailed, "a pinned host is reached by https alone", host: host)
            }
            return nil
        }
        let store =
            if let own = self.store { own } else { try TrustRootsLoader.load(.system, revocationLists: nil) }
        let check = try PinCheck(
            host: host,
            pins: pins,
            store: store,
            identity: configuration.clientIdentity
        )
        return try TLSPolicy(check: check, store: store, configuration: configuration)
    }

    /// Closes all connections and waits until the thread has ended; a second call does nothing.
    ///
    /// Requests on their way, and those that come later, fail with code `sessionClosed`.
    public func close() {
        loop.close()
    }
}
