import CMicroHTTPD
public import HTTPMessages
import Locking

/// An HTTP/1.1 server on one address and port, with or without TLS.
///
/// It listens from its creation until ``stop()`` or its end. Each request is read whole, checked, and answered by the
/// handler in a task of its own; a request that is malformed, too large or without a valid `Host` never reaches it.
@safe public final class HTTPServer: Sendable {
    /// The port that the server listens on.
    public let port: Int
    /// The scheme, address and port, without a path.
    public let url: String

    @safe private struct Daemon {
        // Used under the lock only, and stopped once.
        nonisolated(unsafe) var pointer: OpaquePointer?
    }

    private let core: ServerCore
    private let daemon: Mutex<Daemon>

    /// Starts a server.
    ///
    /// - Throws: ``HTTPServerError`` with code `invalidConfiguration`, `bindFailed`, `tlsSetupFailed` or `startFailed`.
    public init(
        configuration: Configuration = Configuration(),
        handler: any HTTPHandler
    ) throws(HTTPServerError) {
        try configuration.check()
        let socket = try ListeningSocket(address: configuration.address, port: configuration.port)
        let host = configuration.address.contains(":") ? "[\(configuration.address)]" : configuration.address
        let core = ServerCore(configuration: configuration, handler: handler)
        port = socket.port
        url = "\(configuration.tls == nil ? "http" : "https")://\(host):\(socket.port)"
        self.core = core
        daemon = unsafe Mutex(Daemon(pointer: try Self.start(core, on: socket)))
    }

    /// Starts a server that a closure answers for.
    ///
    /// - Throws: As ``init(configuration:handler:)``.
    public convenience init(
        configuration: Configuration = Configuration(),
        respond: @escaping @Sendable (ServedRequest) async -> HTTPResponse
    ) throws(HTTPServerError) {
        try self.init(configuration: configuration, handler: ClosureHandler(closure: respond))
    }

    deinit {
        stop()
    }

    /// Stops the server and waits until its threads have ended; a second call does nothing.
    ///
    /// Handlers at work are cancelled and not waited for; what they return is dropped. Their clients get a 503 or see
    /// the connection closed. When the call returns the port is free. Do not call it from
    /// ``Configuration/onError``, which runs on a thread that would wait for itself.
    public func stop() {
        core.drain()
        daemon.withLock { daemon in
            guard let pointer = unsafe daemon.pointer else { return }
            unsafe daemon.pointer = nil
            unsafe MHD_stop_daemon(pointer)
        }
    }

    private static func start(
        _ core: ServerCore,
        on socket: consuming ListeningSocket
    ) throws(HTTPServerError) -> OpaquePointer {
        let configuration = core.configuration
        // Not epoll: with it libmicrohttpd 0.9.75 at times leaves what came over many new connections unread for ever.
        var flags =
            MHD_USE_INTERNAL_POLLING_THREAD.rawValue | MHD_USE_POLL.rawValue
            | MHD_ALLOW_SUSPEND_RESUME.rawValue
        if configuration.address.contains(":") { flags |= MHD_USE_IPv6.rawValue }
        if configuration.onError != nil { flags |= MHD_USE_ERROR_LOG.rawValue }
        if configuration.tls != nil { flags |= MHD_USE_TLS.rawValue }
        let chain = configuration.tls.map { cString($0.certificateChain) }
        let key = configuration.tls.map { cString($0.privateKey) }
        let priorities =
            "SECURE128:%SERVER_PRECEDENCE:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-CIPHER-ALL"
            + ":+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305"
        let started = unsafe withOptionalPointer(chain) { chain in
            unsafe withOptionalPointer(key) { key in
                unsafe priorities.withCString { priorities in
                    var settings = unsafe cmhd_settings(
                        handler: ServerCallbacks.handler,
                        uri_log: ServerCallbacks.uriLog,
                        completed: ServerCallbacks.completed,
                        connection: ServerCallbacks.connection,
                        logger: ServerCallbacks.logger,
                        context: Unmanaged.passUnretained(core).toOpaque(),
                        listen_socket: socket.descriptor,
                        connection_limit: UInt32(configuration.maximumConnections),
                        address_connection_limit: UInt32(configuration.maximumConnectionsPerAddress ?? 0),
                        timeout_seconds: UInt32(configuration.idleTimeout.components.seconds),
                        thread_count: UInt32(configuration.threadCount),
                        memory_limit: configuration.connectionMemory,
                        certificate_chain: chain,
                        private_key: key,
                        tls_priorities: priorities
                    )
                    return unsafe cmhd_start(flags, &settings)
                }
            }
        }
        guard let daemon = unsafe started else {
            throw configuration.tls == nil
                ? HTTPServerError(.startFailed, "the server's threads cannot be started")
                : HTTPServerError(
                    .tlsSetupFailed,
                    "the certificate chain and the key cannot be used together"
                )
        }
        return unsafe daemon
    }

    private static func cString(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    private static func withOptionalPointer<Result>(
        _ text: [CChar]?,
        _ body: (UnsafePointer<CChar>?) -> Result
    ) -> Result {
        guard let text else { return body(nil) }
        return unsafe text.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
}
