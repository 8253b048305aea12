public import HTTPMessages

/// A session that sends requests over HTTP/1.1 with libcurl.
///
/// The fields of a request go on the wire as they are, in their order, after `Host` and before `Content-Length`;
/// nothing is added but these two and `User-Agent`. The target is sent as written. Redirects are not followed, cookies
/// not kept, content not decoded, and proxies and credentials of the environment not used. Certificates and host names
/// are always checked. Connections are kept and used again.
///
/// A session has one thread. A call keeps the session alive, so one that is dropped ends after its last call.
public final class CurlSession: HTTPSession {
    private let configuration: Configuration
    private let userAgent: HTTPField?
    private let loop: TransferLoop

    /// Makes a session and starts its thread.
    ///
    /// - Throws: ``TransportError`` with code `invalidConfiguration`, or `internalError` when the thread cannot be
    ///   started.
    public init(configuration: Configuration = Configuration()) throws(TransportError) {
        try configuration.check()
        userAgent = try configuration.userAgentField()
        self.configuration = configuration
        loop = try TransferLoop(configuration: configuration)
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
            policy: TLSPolicy(trustRoots: configuration.trustRoots),
            configuration: configuration,
            userAgent: userAgent
        )
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if transfer.begin(continuation) { loop.start(transfer) }
            }
        } onCancel: {
            loop.cancel(transfer)
        }
    }

    /// Closes all connections and waits until the thread has ended; a second call does nothing.
    ///
    /// Requests on their way, and those that come later, fail with code `sessionClosed`.
    public func close() {
        loop.close()
    }
}
