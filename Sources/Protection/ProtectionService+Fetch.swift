import Cryptography
import Encodings
import HTTPMessages
import Timing

extension ProtectionService {
    /// A key that no account defines: that the authority knows no such string is the answer of a passed attestation.
    private static let precheckKey = "precheck-no-such-string"

    /// Checks that this installation can attest, for example at start-up, to tell its user early.
    ///
    /// - Throws: ``ProtectionError``, or what the mutator throws, when it cannot.
    public func precheck() async throws {
        let result = try await secureString(Self.precheckKey, nil)
        try await snapshot.mutator.precheckResult(result)
    }

    /// Fetches a token for a URL, bound as a request without any fields would be.
    ///
    /// - Returns: The token in compact form; empty when the fetcher says that none is needed, or the mutator lets a failure pass.
    /// - Throws: ``ProtectionError``, or what the mutator throws, when there is none; `CancellationError`.
    public func fetchToken(for url: String) async throws -> String {
        let state = snapshot
        guard let target = try? RequestTarget(url) else {
            let result = FetchResult(status: .badURL, detail: "the URL cannot be read")
            throw ProtectionError(.permanent, "fetchToken: \(result)")
        }
        let result = try await state.fetchToken(
            TokenRequest(url: target, dataHash: state.settings.dataHash),
            self
        )
        try await state.mutator.fetchTokenResult(result, for: target)
        return result.token
    }

    /// Reads, defines or deletes a secure string: a secret that the authority keeps.
    ///
    /// What is defined here is this installation's own. It stands above the operator's secret of the same name, which shows
    /// again after a deletion.
    ///
    /// - Parameters:
    ///   - key: The name of the string: 1 to 64 octets of UTF-8.
    ///   - newDefinition: The secret to define; an empty one deletes the installation's own; nil only reads.
    /// - Returns: The secret, or nil when there is none under the key.
    /// - Throws: ``ProtectionError``, or what the mutator throws, when the call has failed.
    public func fetchSecureString(_ key: String, newDefinition: String? = nil) async throws -> String? {
        let result = try await secureString(key, newDefinition)
        try await snapshot.mutator.fetchSecureStringResult(result, for: key)
        return result.secureString
    }

    /// Has the authority sign claims of the app's own.
    ///
    /// - Parameter payload: A JSON object.
    /// - Returns: The JWT in compact form; empty when the mutator lets a failure pass.
    /// - Throws: ``ProtectionError``, or what the mutator throws, when there is none.
    public func fetchCustomJWT(payload: String) async throws -> String {
        let state = snapshot
        let result: FetchResult
        if (try? JSONValue(parsing: Array(payload.utf8)))?.object == nil {
            result = FetchResult(status: .badPayload, detail: "the payload is not a JSON object")
        } else if let engine = state.engine {
            result = try await ask(engine) { await $0.fetchCustomJWT(payload: payload) }
        } else {
            result = FetchResult(status: .notInitialized)
        }
        try await state.mutator.fetchCustomJWTResult(result)
        return result.token
    }

    private func secureString(_ key: String, _ newDefinition: String?) async throws -> FetchResult {
        guard let engine = snapshot.engine else { return FetchResult(status: .notInitialized) }
        return try await secureString(key, newDefinition, from: engine)
    }

    func secureString(
        _ key: String,
        _ newDefinition: String?,
        from engine: Engine
    ) async throws -> FetchResult {
        guard (1...64).contains(key.utf8.count) else {
            return FetchResult(status: .badKey, detail: "the key is not 1 to 64 octets long")
        }
        return try await ask(engine) { await $0.fetchSecureString(key, newDefinition: newDefinition) }
    }

    /// The fetcher's answer within the limit, without the cache in front.
    fileprivate func ask(
        _ engine: Engine,
        _ fetch: @escaping @Sendable (any TokenFetcher) async -> FetchResult
    ) async throws -> FetchResult {
        let fetcher = engine.fetcher
        let answer = try await Deadline.value(within: options.fetchLimit, time: options.time) {
            await fetch(fetcher)
        }
        let result =
            answer ?? FetchResult(status: .poorNetwork, detail: "the token fetcher did not answer in time")
        noteARC(of: result, under: engine.line)
        refreshConfiguration(of: fetcher, after: result)
        return result
    }
}

extension ProtectionService.State {
    /// The token for a request, or why there is none; a host that is not protected is not even asked for.
    func fetchToken(_ request: TokenRequest, _ service: ProtectionService) async throws -> FetchResult {
        guard let engine else { return FetchResult(status: .notInitialized) }
        guard engine.configuration.protects(request.url.host) else { return FetchResult(status: .unknownURL) }
        guard engine.fetcher.hasOwnCache else { return try await engine.cache.result(for: request) }
        let result = try await service.ask(engine) { await $0.fetchToken(request) }.checked()
        // Every request asks such a fetcher, and a success is news to no log.
        if result.status != .success { service.noteFetch(result, under: engine.line) }
        return result
    }
}
