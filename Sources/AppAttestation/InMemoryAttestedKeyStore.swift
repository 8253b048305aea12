import Locking

/// Attested keys in memory, for tests and for one process that may forget them.
public final class InMemoryAttestedKeyStore: AttestedKeyStore {
    private let keys = Mutex<[[UInt8]: AttestedKey]>([:])

    /// Makes an empty store.
    public init() {}

    /// Keeps a new key; false when there is one of this identifier already.
    public func insert(_ key: AttestedKey) async -> Bool {
        keys.withLock { keys in
            guard keys[key.keyID] == nil else { return false }
            keys[key.keyID] = key
            return true
        }
    }

    /// The key of an identifier, or nil.
    public func key(_ keyID: [UInt8]) async -> AttestedKey? { keys.withLock { $0[keyID] } }

    /// Sets a key's counter if it still has the value named.
    public func advanceCounter(keyID: [UInt8], from: UInt32, to: UInt32) async -> Bool {
        keys.withLock { keys in
            guard var key = keys[keyID], key.counter == from else { return false }
            key.counter = to
            keys[keyID] = key
            return true
        }
    }
}
