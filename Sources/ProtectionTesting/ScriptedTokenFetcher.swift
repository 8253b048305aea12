public import Protection
import Locking
public import Timing

/// A token fetcher that answers what a test tells it to, and records what it was asked.
///
/// Scripts are used up in order; the last answer of one is repeated. Without a script a token is `unknownURL`, a
/// secure string `unknownKey`, a custom JWT `disabled`.
public final class ScriptedTokenFetcher: TokenFetcher {
    /// One answer, and how long it takes.
    public struct Answer: Sendable {
        /// What the fetcher answers.
        public var result: FetchResult
        /// How long that takes, by the fetcher's time source; cancelled early, it answers at once.
        public var delay: Duration

        /// Makes an answer.
        public init(_ result: FetchResult, after delay: Duration = .zero) {
            self.result = result
            self.delay = delay
        }

        /// A token without an end, good for one request.
        public static func token(_ token: String) -> Answer {
            Answer(FetchResult(status: .success, token: token))
        }

        /// A failure.
        public static func status(_ status: FetchStatus) -> Answer { Answer(FetchResult(status: status)) }
    }

    private struct State {
        var tokens: [Answer] = []
        var secureStrings: [String: [Answer]] = [:]
        var customJWTs: [Answer] = []
        var tokenRequests: [TokenRequest] = []
        var secureStringRequests: [String] = []
        var definitions: [String: String] = [:]
        var configurations: [ProtectionConfiguration] = []
        var refusal: ProtectionError?
        var refreshes = 0
        var developmentKey: String?
        var deviceID: String?
        var signingKeys: (any SigningKeyHolder)?
    }

    private let time: TimeSource
    private let state: Mutex<State>

    /// Makes a fetcher of a script of tokens.
    ///
    /// - Parameters:
    ///   - tokens: What ``fetchToken(_:)`` answers, in order.
    ///   - time: What the delays are measured with.
    public init(tokens: [Answer] = [], time: TimeSource = .system) {
        self.time = time
        state = Mutex(State(tokens: tokens))
    }

    /// Replaces the script of tokens.
    public func setTokens(_ answers: [Answer]) {
        state.withLock { $0.tokens = answers }
    }

    /// Scripts the answers for one secure string.
    public func setSecureString(_ key: String, _ answers: [Answer]) {
        state.withLock { $0.secureStrings[key] = answers }
    }

    /// Scripts the answers for custom JWTs.
    public func setCustomJWTs(_ answers: [Answer]) {
        state.withLock { $0.customJWTs = answers }
    }

    /// Sets the identity that the fetcher claims.
    public func setDeviceID(_ deviceID: String?) {
        state.withLock { $0.deviceID = deviceID }
    }

    /// Gives the fetcher keys that sign; without them it has none.
    public func setSigningKeys(_ keys: (any SigningKeyHolder)?) {
        state.withLock { $0.signingKeys = keys }
    }

    /// Has the fetcher refuse its next configurations; nil has it take them again.
    public func refuseConfigurations(with error: ProtectionError?) {
        state.withLock { $0.refusal = error }
    }

    /// What tokens were asked for, in order.
    public var tokenRequests: [TokenRequest] { state.withLock { $0.tokenRequests } }
    /// The keys of the secure strings that were asked for, in order.
    public var secureStringRequests: [String] { state.withLock { $0.secureStringRequests } }
    /// The secure strings that were defined.
    public var definitions: [String: String] { state.withLock { $0.definitions } }
    /// The configurations that were taken, in order.
    public var configurations: [ProtectionConfiguration] { state.withLock { $0.configurations } }
    /// How often the configuration was read again.
    public var refreshes: Int { state.withLock { $0.refreshes } }
    /// The development key in force.
    public var developmentKey: String? { state.withLock { $0.developmentKey } }
    /// The identity that a test has set.
    public var deviceID: String? { state.withLock { $0.deviceID } }

    /// Takes a configuration, or refuses it when told to.
    public func initialize(with configuration: ProtectionConfiguration) throws {
        let refusal = state.withLock { state in
            if state.refusal == nil { state.configurations.append(configuration) }
            return state.refusal
        }
        if let refusal { throw refusal }
    }

    /// Answers the next token of the script.
    public func fetchToken(_ request: TokenRequest) async -> FetchResult {
        let answer = state.withLock { state in
            state.tokenRequests.append(request)
            return Self.next(&state.tokens)
        }
        return await play(answer, otherwise: .unknownURL)
    }

    /// Answers the next answer of the key's script, and remembers a definition.
    public func fetchSecureString(_ key: String, newDefinition: String?) async -> FetchResult {
        let answer = state.withLock { state in
            state.secureStringRequests.append(key)
            if let newDefinition { state.definitions[key] = newDefinition }
            return Self.next(&state.secureStrings[key, default: []])
        }
        return await play(answer, otherwise: .unknownKey)
    }

    /// Answers the next custom JWT of the script.
    public func fetchCustomJWT(payload: String) async -> FetchResult {
        await play(state.withLock { Self.next(&$0.customJWTs) }, otherwise: .disabled)
    }

    /// Counts.
    public func refreshConfiguration() async {
        state.withLock { $0.refreshes += 1 }
    }

    /// Remembers the key.
    public func setDevelopmentKey(_ key: String?) {
        state.withLock { $0.developmentKey = key }
    }

    /// Signs with the keys that a test has set.
    public func installationSignature(of message: [UInt8], publicKey: [UInt8]?) async throws -> [UInt8] {
        try await signingKeys().installationSignature(of: message, publicKey: publicKey)
    }

    /// Signs with the keys that a test has set.
    public func accountSignature(of message: [UInt8], keyIdentifier: String?) async throws -> [UInt8] {
        try await signingKeys().accountSignature(of: message, keyIdentifier: keyIdentifier)
    }

    private func signingKeys() throws -> any SigningKeyHolder {
        guard let keys = state.withLock({ $0.signingKeys }) else {
            throw ProtectionError(.permanent, "the test gave the fetcher no keys")
        }
        return keys
    }

    private static func next(_ answers: inout [Answer]) -> Answer? {
        answers.count > 1 ? answers.removeFirst() : answers.first
    }

    private func play(_ answer: Answer?, otherwise status: FetchStatus) async -> FetchResult {
        guard let answer else { return FetchResult(status: status) }
        if answer.delay > .zero { try? await time.sleep(answer.delay) }
        return answer.result
    }
}
