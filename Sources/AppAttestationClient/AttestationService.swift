internal import HTTPMessages
internal import Locking
public import Timing

/// Has one key of this installation attested, and signs with it.
///
/// It starts once and then has one key for all: whoever asks while the attestation goes on waits for its one outcome. A
/// key that is stored is taken at once, without a word to provider or backend. Processes that share a store share the
/// key: one has it attested, the others wait for that.
///
/// What fails in a way that may pass is tried again, after growing, randomised waits. A key that turns out
/// invalid is dropped and replaced once; if the successor is refused as well, that is the end until ``reset()``, also after
/// a restart, so that no installation makes keys for ever. A successor that has been attested for a day
/// (``AttestationConfiguration/replacementInterval``) and signs a request that the backend takes may be replaced again.
/// Nothing is ever signed by other means.
public final class AttestationService: Sendable {
    private enum Phase {
        case idle
        case attesting
        case attested(AttestedKeyReference)
        /// With the time at which another run may begin; nil when none may.
        case failed(AttestationClientError, retryAt: Duration?)
    }

    private enum Answer {
        case result(Result<AttestedKeyReference, any Error>)
        case wait
        case start
    }

    private struct State {
        var phase = Phase.idle
        var waiters = AttestationWaiters()
        /// The generation of a key to be dropped before anything else.
        var refused: Int?
        /// The generation that a key must have at least, once a run was overtaken by ``reset()``.
        var lowestGeneration = 0
        /// How many runs have failed one after the other.
        var failures = 0

        /// Whether the outcome is of what ``reset()`` has made an end of: an older key, or a failure for good.
        func isOvertaken(_ result: Result<AttestedKeyReference, AttestationClientError>) -> Bool {
            switch result {
            case .success(let key): key.generation < lowestGeneration
            case .failure(let error): lowestGeneration > 0 && !error.isTransient
            }
        }
    }

    /// One exchange of a signed request at a time, over all sessions of this service.
    let exchanges = Turnstile()
    let signatures = Turnstile()
    let run: AttestationRun
    private let inner = Mutex(State())

    /// Makes a service, which does nothing yet.
    ///
    /// - Parameters:
    ///   - provider: What makes keys and signs with them.
    ///   - backend: What gives challenges and takes attestations.
    ///   - store: Where the key's identifier is kept.
    ///   - configuration: How long to wait, and how often to try.
    ///   - time: Where it gets its time.
    ///   - random: Numbers in 0..<1 for the waits.
    public init(
        provider: any AttestationProvider,
        backend: any AttestationBackend,
        store: any AttestationKeyStore,
        configuration: AttestationConfiguration = AttestationConfiguration(),
        time: TimeSource = .system,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        run = AttestationRun(
            provider: provider,
            backend: backend,
            store: store,
            configuration: configuration,
            time: time,
            random: random
        )
    }

    /// How far it has come.
    public var state: AttestationState {
        inner.withLock { inner in
            switch inner.phase {
            case .idle: .idle
            case .attesting: .attesting
            case .attested(let key): .attested(keyID: key.keyID)
            case .failed(let error, let retryAt): .failed(told(error, retryAt))
            }
        }
    }

    /// A failure as it is told now, with the time that is left until another run may begin.
    private func told(_ error: AttestationClientError, _ retryAt: Duration?) -> AttestationClientError {
        guard let retryAt else { return error }
        return error.trying(after: max(.zero, retryAt - run.time.uptime()))
    }

    /// Begins, the first time that it is called; after a failure that may pass, again when its time has come.
    ///
    /// It returns at once.
    public func start() {
        let begins = inner.withLock { inner in
            switch inner.phase {
            case .idle: break
            case .failed(_, let retryAt?) where run.time.uptime() >= retryAt: break
            default: return false
            }
            inner.phase = .attesting
            return true
        }
        if begins { begin() }
    }

    /// The identifier of the attested key, once there is one.
    ///
    /// After a failure that may pass, a call begins again when its time has come, and fails at once before that.
    ///
    /// - Parameter deadline: How long to wait; nil for the configuration's.
    /// - Returns: The identifier, in Base 64.
    /// - Throws: ``AttestationClientError`` with code `notStarted`, `timedOut`, or why there is no key;
    ///   `CancellationError` as soon as the task is cancelled.
    public func attestedKeyID(deadline: Duration? = nil) async throws -> String {
        try await attestedKey(deadline: deadline).keyID
    }

    /// Says that the backend does not know the key of a generation any more.
    ///
    /// Of many reports of one key the first counts: the key is dropped, and the attestation begins anew.
    ///
    /// - Parameter generation: What ``KeyAssertion/generation`` said.
    public func keyWasRefused(generation: Int) {
        let begins = inner.withLock { inner in
            guard case .attested(let key) = inner.phase, key.generation == generation else { return false }
            inner.refused = generation
            inner.phase = .attesting
            return true
        }
        if begins { begin() }
    }

    /// Says that the backend has taken a request that was signed with the key of a generation.
    ///
    /// A key that has served for long enough may be replaced again when it is refused.
    ///
    /// - Parameter generation: What ``KeyAssertion/generation`` said.
    public func keyWasAccepted(generation: Int) async {
        let settled: AttestedKeyReference? = inner.withLock { inner in
            guard case .attested(var key) = inner.phase, key.generation == generation,
                let settlesAt = key.settlesAt, run.time.secondsSince1970 >= settlesAt
            else { return nil }
            key.settlesAt = nil
            inner.phase = .attested(key)
            return key
        }
        // What cannot be kept now is tried again by the next process.
        if let settled { try? await run.settle(settled) }
    }

    /// Forgets the key and all that was remembered of earlier ones, as when a person signs in anew.
    ///
    /// The service is idle then: ``start()`` begins with a new key. An attestation under way goes on, with a new key too.
    ///
    /// - Throws: What the store throws.
    public func reset() async throws {
        let (forgotten, generation) = try await run.store.update { record in
            let keys = [record.keyID, record.pendingKeyID].compactMap { $0 }
            record = AttestationRecord(generation: record.generation + 1)
            return (keys, record.generation)
        }
        inner.withLock { inner in
            guard case .attesting = inner.phase else {
                inner.phase = .idle
                return
            }
            inner.lowestGeneration = max(inner.lowestGeneration, generation)
        }
        for key in forgotten { try? await run.provider.removeKey(key) }
    }

    /// Whether a request is one of the backend's own, which cannot wait for what it brings about.
    func isEndpoint(_ request: HTTPRequest) -> Bool {
        let target = request.target
        return request.method == .post && target.query == nil
            && run.backend.endpoints.contains { $0.origin == target.origin && $0.path == target.path }
    }

    /// The attested key, if there is one just now.
    var currentKey: AttestedKeyReference? {
        inner.withLock { inner in
            guard case .attested(let key) = inner.phase else { return nil }
            return key
        }
    }

    func attestedKey(deadline: Duration?) async throws -> AttestedKeyReference {
        if let key = currentKey { return key }
        let limit = deadline ?? run.configuration.deadline
        let number = inner.withLock { $0.waiters.register() }
        let timer = Task {
            guard (try? await run.time.sleep(limit)) != nil else { return }
            leave(number, AttestationClientError(.timedOut, "there was no attested key within \(limit)"))
        }
        defer {
            timer.cancel()
            inner.withLock { $0.waiters.forget(number) }
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join($0, as: number) }
        } onCancel: {
            leave(number, CancellationError())
        }
    }

    private func leave(_ number: UInt64, _ error: any Error) {
        inner.withLock { $0.waiters.leave(number, because: error) }?.resume(throwing: error)
    }

    private func join(_ continuation: AttestationWaiters.Continuation, as number: UInt64) {
        let answer: Answer = inner.withLock { inner in
            switch inner.phase {
            case .idle:
                return .result(.failure(AttestationClientError(.notStarted, "the service was not started")))
            case .attested(let key): return .result(.success(key))
            case .failed(let error, let retryAt):
                guard let retryAt, run.time.uptime() >= retryAt else {
                    return .result(.failure(told(error, retryAt)))
                }
            case .attesting: break
            }
            if let error = inner.waiters.wait(number, continuation) { return .result(.failure(error)) }
            guard case .failed = inner.phase else { return .wait }
            inner.phase = .attesting
            return .start
        }
        switch answer {
        case .result(let result): continuation.resume(with: result)
        case .wait: break
        case .start: begin()
        }
    }

    /// Runs in a task of its own, which no caller's cancellation reaches.
    private func begin() {
        let refused = inner.withLock { $0.refused }
        Task {
            do throws(AttestationClientError) {
                finish(.success(try await run.key(dropping: refused)))
            } catch {
                finish(.failure(error))
            }
        }
    }

    private func finish(_ result: Result<AttestedKeyReference, AttestationClientError>) {
        var result = result
        let waiting: [AttestationWaiters.Continuation]? = inner.withLock { inner in
            guard !inner.isOvertaken(result) else {
                // The next run reads what reset() has left, so once is enough, also where the record is lost.
                inner.lowestGeneration = 0
                return nil
            }
            inner.lowestGeneration = 0
            switch result {
            case .success(let key):
                inner.phase = .attested(key)
                inner.failures = 0
                inner.refused = nil
            case .failure(let error):
                inner.failures += 1
                let pause = run.configuration.pause(after: inner.failures, random: run.random())
                let retryAt = run.time.uptime() + max(pause, error.retryAfter ?? .zero)
                inner.phase = .failed(error, retryAt: error.isTransient ? retryAt : nil)
                if error.isTransient { result = .failure(told(error, retryAt)) }
            }
            return inner.waiters.takeAll()
        }
        guard let waiting else { return begin() }
        for waiter in waiting { waiter.resume(with: result.mapError { $0 as any Error }) }
    }
}
