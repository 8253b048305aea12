public import HTTPMessages
import Locking

/// A small cache of representations that are asked for again by their entity tags (RFC 9110, section 13.1.2).
///
/// The server is asked each time, and answers 304 when nothing has changed; so nothing stale is shown. What is kept
/// belongs to one URL and to the fields of its request: two requests that differ in a credential, or in any other field but
/// those that are ignored, share nothing. Responses to GET with status 200 and an `ETag` are kept, unless request or
/// response say `no-store` or the response varies by `*` or by a field that is ignored. `Set-Cookie` is not kept.
///
/// What a protection service puts into a request, tokens and secrets in the place of placeholders, does not tell requests
/// apart: give each service, and each tenant, a cache of its own.
///
/// With a file, the representations survive restarts; those that are `private` (RFC 9111, section 5.2.2.7) stay in memory.
/// The file has mode 0600 and is replaced as a whole whenever its contents change; a call comes back when that is done. What
/// changes while it is written is written once, afterwards, and no task's thread waits for the device. One that is damaged
/// is dropped, for what it held can be had again; one that another user could have written is an error. Bodies stand in it
/// as they came; of a request there is a SHA-256 over its URL and fields, and no value.
public final class ResponseCache: Sendable {
    /// How much is kept.
    public struct Limits: Sendable, Hashable {
        /// The most representations.
        public var count: Int
        /// The most octets of all representations together, with their fields.
        public var octets: Int

        /// Makes limits.
        public init(count: Int = 128, octets: Int = 4 << 20) {
            self.count = count
            self.octets = octets
        }
    }

    private struct State {
        var entries: CacheEntries
        /// Counts the calls of `removeAll`; what was asked for before is not kept.
        var epoch: UInt64 = 0
        /// Counts what is worth a write.
        var version: UInt64 = 0
        var writeFailure: APIError?
    }

    /// The fields of requests that do not tell requests apart.
    let ignoredFields: Set<HTTPField.Name>
    /// Whether the file was there and damaged, and so was dropped.
    public let wasDamaged: Bool
    private let limits: Limits
    private let file: CacheFile?
    private let state: Mutex<State>
    private let writer = CacheWriter()

    /// Makes a cache in memory.
    ///
    /// - Parameters:
    ///   - limits: How much is kept; what was used longest ago goes first.
    ///   - ignoredFields: Fields that differ between requests and change nothing, such as those of traces. None may be a
    ///     credential.
    public init(
        limits: Limits = Limits(),
        ignoredFields: Set<HTTPField.Name> = ["traceparent", "tracestate", "X-Request-ID"]
    ) {
        self.limits = limits
        self.ignoredFields = ignoredFields
        wasDamaged = false
        file = nil
        state = Mutex(State(entries: CacheEntries(limits: limits)))
    }

    /// Makes a cache that is kept in a file.
    ///
    /// - Parameters:
    ///   - path: The file, which need not be there; its directory must be. One process uses it at a time.
    ///   - limits: How much is kept.
    ///   - ignoredFields: As for a cache in memory.
    /// - Throws: ``APIError`` with code `cache` when the file belongs to another user, others have rights to it, it is not a
    ///   regular file, or it cannot be read.
    public init(
        file path: String,
        limits: Limits = Limits(),
        ignoredFields: Set<HTTPField.Name> = ["traceparent", "tracestate", "X-Request-ID"]
    ) throws(APIError) {
        self.limits = limits
        self.ignoredFields = ignoredFields
        let file = CacheFile(path: path, limits: limits)
        let entries = try file.read()
        self.file = file
        wasDamaged = entries == nil
        var kept = CacheEntries(limits: limits)
        for (key, entry) in entries ?? [] { kept.put(entry, key) }
        state = Mutex(State(entries: kept))
    }

    /// The failure of the last attempt to write the file; nil when it went well.
    ///
    /// A call does not fail for it: the representation is there, and is only not kept beyond the process.
    public var lastWriteFailure: APIError? { state.withLock { $0.writeFailure } }

    /// How many representations are kept.
    public var count: Int { state.withLock { $0.entries.count } }

    /// Forgets all representations, and keeps none that was asked for before.
    ///
    /// It comes back when the file holds none any more, even if the task is cancelled.
    public func removeAll() async {
        await change { state in
            state.entries = CacheEntries(limits: limits)
            state.epoch += 1
            return true
        }
    }

    /// What stands for the time before the next ``removeAll()``; a response is kept with that of its request.
    var epoch: UInt64 { state.withLock { $0.epoch } }

    func entry(_ key: String) -> CachedResponse? {
        state.withLock { $0.entries.use(key) }
    }

    func store(_ entry: CachedResponse, _ key: String, since epoch: UInt64) async {
        await change { state in
            guard state.epoch == epoch else { return false }
            let former = state.entries.put(entry, key)
            // A fresh date alone is not worth a write.
            return former?.etag != entry.etag || former?.body != entry.body
                || former?.isPrivate != entry.isPrivate
        }
    }

    func remove(_ key: String) async {
        await change { $0.entries.remove(key) != nil }
    }

    /// Changes the state, and comes back when the file holds the change, if it is worth a write.
    private func change(_ body: (inout State) -> Bool) async {
        guard
            let version: UInt64 = state.withLock({ state in
                guard body(&state), file != nil else { return nil }
                state.version += 1
                return state.version
            })
        else { return }
        await writer.write(atLeast: version) { self.write() }
    }

    /// Writes the newest state, outside of the lock that every request takes, and returns its version.
    private func write() -> UInt64 {
        let (entries, version) = state.withLock { ($0.entries.inOrder, $0.version) }
        var failure: APIError?
        do throws(APIError) { try file?.write(entries.filter { !$0.1.isPrivate }) } catch { failure = error }
        state.withLock { $0.writeFailure = failure }
        return version
    }
}
