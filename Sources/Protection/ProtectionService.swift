import Cryptography
import HTTPMessages
import Locking
public import Timing

/// The service that proves, for each request of an app, where it comes from.
///
/// ``initialize(config:fetcher:comment:)`` switches it on; sessions made by ``ProtectedSession`` then carry a token on
/// every request to a protected host, and the rest of the app stays as it is. ``shared`` is for apps; a program with
/// several tenants, or a test, makes its own.
///
/// All state stands behind one lock and each request works on a snapshot of it, so a setting changes requests that
/// start after it, never one that is under way. No lock is held while the fetcher or the mutator runs, but that other calls
/// of ``initialize(config:fetcher:comment:)`` wait for the fetcher's own `initialize(with:)`, which must not call it.
public final class ProtectionService: Sendable {
    /// The service of this process.
    public static let shared = ProtectionService()

    /// What a service needs besides its configuration.
    public struct Options: Sendable {
        /// Where the service gets its time.
        public var time: TimeSource
        /// How long one fetch may take.
        public var fetchLimit: Duration
        /// Whether the first token is fetched in the background as soon as the service is initialized.
        public var prefetches: Bool
        /// Numbers in 0..<1, for the jitter of renewals and retries.
        public var random: @Sendable () -> Double

        /// Makes options.
        public init(
            time: TimeSource = .system,
            fetchLimit: Duration = .seconds(30),
            prefetches: Bool = true,
            random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
        ) {
            self.time = time
            self.fetchLimit = fetchLimit
            self.prefetches = prefetches
            self.random = random
        }
    }

    /// What stands behind an initialized and enabled service.
    struct Engine: Sendable {
        let line: String
        let configuration: ProtectionConfiguration
        let fetcher: any TokenFetcher
        let cache: TokenCache
    }

    struct State: Sendable {
        var isInitialized = false
        var engine: Engine?
        var settings = ProtectionSettings()
        var mutator: any ServiceMutator = DefaultServiceMutator()
        var logger = Logger(level: .info, sink: StandardErrorLogSink())
        var lastARC: String?
        /// Whether a fetcher reads the account's configuration again.
        var isRefreshing = false
        /// Kept for the fetchers of later initializations.
        var developmentKey: String?
        /// The pins of the app, which count before those of the configuration.
        var ownPins: PinningPolicy?

        /// The pins that hold; nil leaves them to the session.
        var pins: PinningPolicy? {
            if let ownPins { return ownPins }
            guard let pins = engine?.configuration.pins, !pins.isEmpty else { return nil }
            return pins
        }
    }

    let options: Options
    private let state = Mutex(State())
    // Held over a whole initialization, so that two of them cannot interleave; never taken by a request.
    private let initialization = Mutex(())

    /// Makes a service of its own, apart from ``shared``.
    public init(options: Options = Options()) {
        self.options = options
    }

    /// Starts the service.
    ///
    /// An empty configuration makes every session a plain one: no token, no substitution, no policy, and no pins but those
    /// of ``setPins(_:)``. A full one, as ``ProtectionConfiguration/encoded()`` makes it, switches protection on, at once or
    /// later. The same configuration again changes nothing; an empty one after a full one changes nothing either, so
    /// protection is never switched off by accident. Every initialization that does change something puts the settings back
    /// to their defaults; the mutator, the logging and a development key stay, and the app's own pins unless a configuration is
    /// replaced.
    ///
    /// - Parameters:
    ///   - config: The configuration line, or an empty text.
    ///   - fetcher: Where tokens come from; needed with a full configuration, unless an earlier one named it.
    ///   - comment: Starts with "reinit" when another configuration is to replace the present one.
    /// - Throws: ``ProtectionError`` with code `configuration` when the line cannot be read (``ConfigurationError`` is
    ///   the underlying error), when there is no fetcher or it refuses the configuration, or when another
    ///   configuration is in force; the service is then as it was.
    public func initialize(config: String, fetcher: (any TokenFetcher)? = nil, comment: String = "") throws {
        try initialization.withLock { _ in
            let current = snapshot
            if config.isEmpty {
                guard current.engine == nil else {
                    current.logger.log(
                        .warning,
                        "initialize",
                        [("ignored", "an empty config does not end protection")]
                    )
                    return
                }
                if !current.isInitialized { commit(engine: nil) }
                return
            }
            if let engine = current.engine {
                if engine.line == config {
                    current.logger.log(.warning, "initialize", [("ignored", "the same config is in force")])
                    return
                }
                guard comment.hasPrefix("reinit") else {
                    throw ProtectionError(.configuration, "initialize: another configuration is in force")
                }
            }
            commit(engine: try makeEngine(config, fetcher ?? current.engine?.fetcher))
        }
    }

    private func makeEngine(_ line: String, _ fetcher: (any TokenFetcher)?) throws -> Engine {
        let configuration: ProtectionConfiguration
        do {
            configuration = try ProtectionConfiguration(parsing: line)
        } catch {
            throw ProtectionError(
                .configuration,
                "initialize: the configuration cannot be read",
                underlying: error
            )
        }
        guard let fetcher else {
            throw ProtectionError(.configuration, "initialize: a full configuration needs a token fetcher")
        }
        do {
            try fetcher.initialize(with: configuration)
        } catch {
            throw ProtectionError(
                .configuration,
                "initialize: the token fetcher refused the configuration",
                underlying: error
            )
        }
        if let key = snapshot.developmentKey { fetcher.setDevelopmentKey(key) }
        return Engine(
            line: line,
            configuration: configuration,
            fetcher: fetcher,
            cache: makeCache(fetcher, line)
        )
    }

    private func makeCache(_ fetcher: any TokenFetcher, _ line: String) -> TokenCache {
        TokenCache(
            fetcher: fetcher,
            time: options.time,
            fetchLimit: options.fetchLimit,
            random: options.random,
            didFetch: { [weak self] result in
                self?.noteFetch(result, under: line)
                self?.refreshConfiguration(of: fetcher, after: result)
            }
        )
    }

    private func commit(engine: Engine?) {
        state.withLock { state in
            // The app sets its pins when it likes, and the first configuration need not name any.
            if state.engine != nil { state.ownPins = nil }
            state.isInitialized = true
            state.engine = engine
            state.settings = ProtectionSettings()
            state.lastARC = nil
        }
        let hosts = engine?.configuration.protectedHosts.map(\.description).joined(separator: ",")
        snapshot.logger.log(
            .info,
            "initialize",
            [("enabled", "\(engine != nil)"), ("hosts", hosts ?? "none")]
        )
        guard let engine, options.prefetches, !engine.fetcher.hasOwnCache else { return }
        for host in engine.configuration.protectedHosts {
            guard let url = try? RequestTarget("https://\(host)/") else { continue }
            Task { _ = try await engine.cache.result(for: TokenRequest(url: url)) }
            return
        }
    }

    /// A copy of the state, to work on without the lock.
    var snapshot: State { state.withLock { $0 } }

    func update(_ change: (inout State) throws -> Void) rethrows {
        try state.withLock { try change(&$0) }
    }

    /// Keeps the code of an attestation, unless another configuration has come into force since it began.
    func noteARC(of result: FetchResult, under line: String) {
        guard let arc = result.arc else { return }
        state.withLock { state in
            if state.engine?.line == line { state.lastARC = arc }
        }
    }

    /// Keeps and logs what a fetch has told.
    func noteFetch(_ result: FetchResult, under line: String) {
        noteARC(of: result, under: line)
        let logger = snapshot.logger
        let level: LogLevel = result.status == .success ? .info : .warning
        logger.log(
            level,
            "fetchToken",
            [("status", result.status.rawValue)]
                + [
                    ("detail", result.detail), ("arc", result.arc), ("trace", result.traceID),
                    ("claims", result.loggableToken),
                ].compactMap { pair in pair.1.map { (pair.0, $0) } }
        )
    }

    /// Has a fetcher read the account's configuration again when a result says that it has changed, once at a time.
    ///
    /// Nobody waits for that: the result is good as it is.
    func refreshConfiguration(of fetcher: any TokenFetcher, after result: FetchResult) {
        guard result.isConfigurationChanged else { return }
        let isFirst = state.withLock { state in
            defer { state.isRefreshing = true }
            return !state.isRefreshing
        }
        guard isFirst else { return }
        Task {
            _ = try? await Deadline.value(within: options.fetchLimit, time: options.time) {
                await fetcher.refreshConfiguration()
            }
            update { $0.isRefreshing = false }
        }
    }

    /// Whether ``initialize(config:fetcher:comment:)`` has succeeded, with an empty configuration or a full one.
    public var isInitialized: Bool { snapshot.isInitialized }

    /// Whether a full configuration is in force.
    public var isProtectionEnabled: Bool { snapshot.engine != nil }

    /// The attestation response code of the last attestation, for whichever host it was; nil when there was none.
    ///
    /// A token out of the cache can be of an earlier one: which it is stands in its claim `arc`.
    public var lastARC: String? { snapshot.lastARC }

    /// The identity of this installation, or nil when it has none yet.
    public var deviceID: String? { snapshot.engine?.fetcher.deviceID }

    /// Marks this installation as a development one, which the account lets pass attestation; nil takes that back.
    ///
    /// Tokens fetched before are not used again. It holds for the fetchers of later initializations too.
    public func setDevelopmentKey(_ key: String?) {
        initialization.withLock { _ in
            update { $0.developmentKey = key }
            guard let engine = snapshot.engine else { return }
            engine.fetcher.setDevelopmentKey(key)
            discardTokens()
        }
    }

    /// Forgets the tokens fetched so far, and what is remembered of fetches that failed.
    ///
    /// The next request fetches anew, for example after a backend has refused a token that should be good.
    public func discardTokens() {
        update { state in
            guard let engine = state.engine else { return }
            state.engine = Engine(
                line: engine.line,
                configuration: engine.configuration,
                fetcher: engine.fetcher,
                cache: makeCache(engine.fetcher, engine.line)
            )
        }
    }
}
