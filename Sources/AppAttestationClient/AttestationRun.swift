internal import Timing

/// The way from whatever is stored to an attested key.
struct AttestationRun: Sendable {
    let provider: any AttestationProvider
    let backend: any AttestationBackend
    let store: any AttestationKeyStore
    let configuration: AttestationConfiguration
    let time: TimeSource
    let random: @Sendable () -> Double

    /// What is kept from one attempt to the next.
    private struct Progress {
        /// A challenge that was not answered yet.
        var challenge: AttestationChallenge?
    }

    /// The stored key, or a new one once it is attested; the key of a generation that was refused is dropped before.
    func key(dropping refused: Int?) async throws(AttestationClientError) -> AttestedKeyReference {
        if let refused {
            let dropped = try await update { $0.drop(generation: refused) }
            if let dropped { await remove(dropped) }
        }
        if let key = try await storedKey() { return key }
        guard provider.isSupported else {
            throw AttestationClientError(.notSupported, "keys cannot be made here")
        }
        let interval = max(configuration.pollInterval, .milliseconds(1))
        var waited = Duration.zero
        while true {
            let claim = try await ask(.storeFailed) { try await store.claim() }
            if let claim {
                defer { withExtendedLifetime(claim) {} }
                return try await attempts()
            }
            // Another process is at it, and this one takes what comes of it; it may hang, so not for ever.
            guard waited < configuration.claimDeadline else {
                throw AttestationClientError(.unavailable, "another process does not end its attestation")
            }
            try await wait(interval)
            waited += interval
            if let key = try await storedKey() { return key }
        }
    }

    /// Whether a key with which something fails for good may be dropped for a successor, or was dropped already.
    ///
    /// A second time it may not: what fails with two keys lies in neither.
    func mayReplace(_ key: AttestedKeyReference) async throws(AttestationClientError) -> Bool {
        let record = try await record()
        return record.generation != key.generation || !record.wasReplaced
    }

    private func attempts() async throws(AttestationClientError) -> AttestedKeyReference {
        var progress = Progress()
        var failures = 0
        while true {
            do throws(AttestationClientError) { return try await attempt(&progress) } catch {
                failures += 1
                let wish = error.retryAfter ?? .zero
                guard error.isTransient, failures < configuration.maximumAttempts,
                    wish <= configuration.maximumDelay
                else { throw error }
                try await wait(wish + configuration.backOff(after: failures, random: random()))
            }
        }
    }

    private func attempt(
        _ progress: inout Progress
    ) async throws(AttestationClientError) -> AttestedKeyReference {
        // Looked at again with the claim, since another process may have come to its end just before.
        let record = try await record()
        if let key = try key(in: record) { return key }
        let key = AttestedKeyReference(
            keyID: try await pendingKey(in: record),
            generation: record.generation
        )
        let challenge: AttestationChallenge
        if let kept = progress.challenge {
            challenge = kept
        } else {
            challenge = try await ask(.unavailable) { try await backend.fetchChallenge() }
        }
        // Of a device that fails for a while, the same is asked again.
        progress.challenge = challenge
        let clientDataHash = try challenge.clientDataHash()
        let attestation: [UInt8]
        do throws(AttestationClientError) {
            attestation = try await ask(.providerFailed) {
                try await provider.attestKey(key.keyID, clientDataHash: clientDataHash)
            }
        } catch {
            guard error.mayBeOfTheKey else { throw error }
            try await dropPending(key)
            // That a key was replaced is in the record, so that this ends.
            guard !record.wasReplaced else { throw error }
            return try await attempt(&progress)
        }
        progress.challenge = nil
        let submission = AttestationSubmission(
            sessionID: challenge.sessionID,
            keyID: key.keyID,
            attestation: attestation
        )
        do throws(AttestationClientError) {
            try await ask(.unavailable) { try await backend.submit(submission) }
        } catch {
            if error.code == .refused { try await dropPending(key) }
            throw error
        }
        return try await keep(key)
    }

    /// The key that an earlier run has made, or a new one.
    private func pendingKey(in record: AttestationRecord) async throws(AttestationClientError) -> String {
        if let keyID = record.pendingKeyID { return keyID }
        let keyID = try await ask(.providerFailed) { try await provider.generateKey() }
        do throws(AttestationClientError) {
            try await update { stored in
                guard stored == record else { throw Self.changed }
                stored.pendingKeyID = keyID
            }
        } catch {
            await discard(keyID)
            throw error
        }
        return keyID
    }

    /// Removes a key just made, unless the record holds it after all: a store may fail after it has written.
    private func discard(_ keyID: String) async {
        guard let stored = try? await store.load(), ![stored.keyID, stored.pendingKeyID].contains(keyID)
        else { return }
        try? await provider.discardKey(keyID)
    }

    private func keep(
        _ key: AttestedKeyReference
    ) async throws(AttestationClientError) -> AttestedKeyReference {
        let record = try await update { record in
            guard record.pendingKeyID == key.keyID, record.generation == key.generation else {
                throw Self.changed
            }
            record.keyID = key.keyID
            record.pendingKeyID = nil
            record.attestedAt = time.secondsSince1970
            return record
        }
        return reference(key.keyID, in: record)
    }

    private func dropPending(_ key: AttestedKeyReference) async throws(AttestationClientError) {
        if try await update({ $0.drop(pending: key.keyID) }) { await remove(key.keyID) }
    }

    private func remove(_ keyID: String) async {
        // Nothing refers to it any more, so that one that stays does no harm.
        try? await provider.removeKey(keyID)
    }

    private func storedKey() async throws(AttestationClientError) -> AttestedKeyReference? {
        try key(in: await record())
    }

    private func record() async throws(AttestationClientError) -> AttestationRecord {
        try await ask(.storeFailed) { try await store.load() }
    }

    private func update<Value: Sendable>(
        _ change: @Sendable (inout AttestationRecord) throws -> Value
    ) async throws(AttestationClientError) -> Value {
        try await ask(.storeFailed) { try await store.update(change) }
    }

    private func key(
        in record: AttestationRecord
    ) throws(AttestationClientError) -> AttestedKeyReference? {
        guard !record.isExhausted else {
            throw AttestationClientError(.exhausted, "a key and its one successor were refused")
        }
        return record.keyID.map { reference($0, in: record) }
    }

    private func reference(_ keyID: String, in record: AttestationRecord) -> AttestedKeyReference {
        let interval = max(0, configuration.replacementInterval.components.seconds)
        let (end, isTooLate) = (record.attestedAt ?? 0).addingReportingOverflow(interval)
        return AttestedKeyReference(
            keyID: keyID,
            generation: record.generation,
            settlesAt: record.wasReplaced ? isTooLate ? .max : end : nil
        )
    }

    /// Keeps that a key may be replaced again.
    func settle(_ key: AttestedKeyReference) async throws(AttestationClientError) {
        try await update { record in
            guard record.generation == key.generation, record.keyID == key.keyID else { return }
            record.wasReplaced = false
        }
    }

    private func wait(_ duration: Duration) async throws(AttestationClientError) {
        do { try await time.sleep(duration) } catch {
            throw AttestationClientError(.unavailable, "the attestation was interrupted", underlying: error)
        }
    }

    private static var changed: AttestationClientError {
        AttestationClientError(.unavailable, "the record of the key was changed meanwhile")
    }

    /// Runs foreign work, whose errors get a code.
    private func ask<Value>(
        _ code: AttestationClientError.Code,
        _ work: () async throws -> Value
    ) async throws(AttestationClientError) -> Value {
        do { return try await work() } catch let error as AttestationClientError {
            throw error
        } catch {
            throw AttestationClientError(code, Self.message(code), underlying: error)
        }
    }

    private static func message(_ code: AttestationClientError.Code) -> String {
        switch code {
        case .providerFailed: "the provider of keys failed"
        case .storeFailed: "the store of the key failed"
        default: "the backend cannot be reached"
        }
    }
}
